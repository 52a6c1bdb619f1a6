-- The pull side: settings of queues, claims, cancellation, and retries in bulk.

create table queue (
    name                 text    primary key,
    paused               boolean not null default false,
    max_in_flight        integer check (max_in_flight >= 0),
    heartbeat_timeout_us bigint  check (heartbeat_timeout_us > 0),
    deadline_us          bigint  check (deadline_us > 0),
    max_requeues         integer check (max_requeues between 0 and 100),
    max_running_us       bigint  check (max_running_us > 0),
    queue_timeout_us     bigint  check (queue_timeout_us > 0),
    backoff_base_us      bigint  check (backoff_base_us > 0),
    backoff_cap_us       bigint  check (backoff_cap_us > 0),
    retention_us         bigint  check (retention_us > 0)
);

alter table delegation
    add column holder   text,
    add column previous jsonb;

comment on column delegation.holder is 'Who acquired it last; null while it waits to be claimed.';
comment on column delegation.previous is 'What the next attempt is told about the last one.';

-- One range for each priority: rows that are delayed lie behind those that can be claimed, and cost a claim nothing.
create index delegation_claimable on delegation (queue, priority, available_at, id) where status = 'queued';

-- The filter by agent finds those assigned and those held.
drop index delegation_by_agent;
create index delegation_by_agent on delegation (coalesce(holder, agent), status, created_at, id)
    where coalesce(holder, agent) is not null;

-- How agents described their present attempt: read for the same claim again, and by probes.
create table attempt (
    delegation_id uuid   primary key references delegation (id) on delete cascade,
    epoch         bigint not null,
    agent         text   not null,
    request_id    text,
    instance      text,
    probe         jsonb
);
create index attempt_request on attempt (agent, request_id) where request_id is not null;

create table redrive (
    id           uuid        primary key,
    state        text        not null check (state in ('running', 'done', 'cancelled')),
    created_at   timestamptz not null,
    finished_at  timestamptz,
    filter       jsonb,
    per_second   integer     not null check (per_second > 0),
    note         text,
    matched      bigint      not null,
    check ((finished_at is null) = (state = 'running'))
);

-- What a redrive has still to do, and what became of the rest.
create table redrive_item (
    redrive_id    uuid   not null references redrive (id) on delete cascade,
    delegation_id uuid   not null,
    state         text   not null default 'waiting' check (state in ('waiting', 'retried', 'skipped')),
    primary key (redrive_id, delegation_id)
);
create index redrive_item_waiting on redrive_item (redrive_id, delegation_id) where state = 'waiting';
