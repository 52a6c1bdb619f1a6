-- The ledger. Times are timestamptz (microseconds), durations bigint microseconds (suffix _us), words lower-case text.
-- The state machine is io.rollcall.delegation.DelegationStatus; the words below are tested against it.

create table delegation (
    id                   uuid        primary key,
    version              bigint      not null,
    status               text        not null
        check (status in ('queued', 'dispatched', 'in_progress', 'stuck', 'completed', 'failed', 'cancelled')),
    reason               text,
    cause                text,
    retryable            boolean,
    caller               text        not null,
    agent                text,
    queue                text,
    task                 text        not null check (char_length(task) between 1 and 1000),
    priority             smallint    not null check (priority between 0 and 9),
    labels               jsonb       not null check (jsonb_typeof(labels) = 'object'),
    payload              jsonb,
    result               jsonb,
    error                jsonb,
    recovery             text        not null check (recovery in ('none', 'requeue')),
    epoch                bigint      not null check (epoch >= 0),
    requeue_count        integer     not null check (requeue_count >= 0),
    max_requeues         integer     not null check (max_requeues between 0 and 100),
    created_at           timestamptz not null,
    updated_at           timestamptz not null check (updated_at >= created_at),
    started_at           timestamptz,
    finished_at          timestamptz,
    deadline_at          timestamptz not null,
    available_at         timestamptz,
    cancel_by            timestamptz,
    due_at               timestamptz,
    heartbeat_timeout_us bigint      check (heartbeat_timeout_us > 0),
    queue_timeout_us     bigint      check (queue_timeout_us > 0),
    max_running_us       bigint      check (max_running_us > 0),
    retry_of             uuid,
    idempotency_key      text,
    body_hash            bytea,
    late_reports         integer     not null default 0,

    constraint delegation_direct_or_queued check (agent is not null or queue is not null),
    constraint delegation_queued_has_queue check (status <> 'queued' or (queue is not null and available_at is not null)),
    constraint delegation_reason_when_ended check
        ((reason is not null) = (status in ('stuck', 'completed', 'failed', 'cancelled'))),
    constraint delegation_finished_when_final check
        ((finished_at is not null) = (status in ('completed', 'failed', 'cancelled'))),
    constraint delegation_due_while_open check
        ((due_at is null) = (status in ('completed', 'failed', 'cancelled'))),
    constraint delegation_epoch_when_held check (epoch > 0 or status not in ('dispatched', 'in_progress', 'stuck')),
    constraint delegation_budget check (requeue_count <= max_requeues),
    constraint delegation_own_successor check (retry_of <> id)
);

comment on column delegation.due_at is
    'When time alone would end it: the earliest of its deadline, its queue timeout and cancel_by. Null once final.';
comment on column delegation.epoch is 'The epoch of the last acquisition: the fencing token. 0 before the first.';
comment on column delegation.late_reports is 'How many reports of agents were refused; the first 100 stand in the history.';

create index delegation_due on delegation (due_at) where due_at is not null;
create unique index delegation_retry_of on delegation (retry_of) where retry_of is not null;
create unique index delegation_idempotency on delegation (caller, idempotency_key) where idempotency_key is not null;
-- The lists: one range a status, merged. See docs/architecture.md for the combinations that use them.
create index delegation_by_creation on delegation (status, created_at, id);
create index delegation_by_change on delegation (status, updated_at, id);
create index delegation_by_deadline on delegation (status, deadline_at, id);
create index delegation_by_queue on delegation (queue, status, created_at, id) where queue is not null;
create index delegation_by_agent on delegation (agent, status, created_at, id) where agent is not null;
create index delegation_by_caller on delegation (caller, status, created_at, id);
create index delegation_labels on delegation using gin (labels jsonb_path_ops);
create index delegation_finished on delegation (finished_at) where finished_at is not null;

-- A hold on a delegation. Exists exactly while it is in flight or stuck. Narrow, half filled and without a further index,
-- so that a heartbeat is a heap-only update; stale leases are found by scanning it.
create table lease (
    delegation_id uuid        primary key references delegation (id) on delete cascade,
    epoch         bigint      not null check (epoch > 0),
    acquired_at   timestamptz not null,
    last_beat_at  timestamptz,
    stale_at      timestamptz,
    lease_us      bigint      not null check (lease_us > 0),
    progress      double precision check (progress between 0 and 1),
    begun         boolean     not null default false,
    stuck         boolean     not null default false,
    cancel_asked  boolean     not null default false,
    sole          boolean     not null,
    non_idempotent boolean    not null default false,
    holder        text        not null,
    note          text        check (char_length(note) <= 200),

    constraint lease_beat_makes_stale check ((last_beat_at is null) = (stale_at is null))
) with (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);

comment on column lease.sole is 'No other attempt can ever be (direct, recovery none): a beat may leave out its epoch.';
comment on column lease.stale_at is 'last_beat_at + lease_us. Null: no beat is due yet. Effective is the later of this and returned_at + lease_us.';

-- The history: one line for each thing that happened. Numbered within a delegation, under the lock of its row.
create table delegation_event (
    delegation_id uuid        not null references delegation (id) on delete cascade,
    seq           bigint      not null check (seq > 0),
    at            timestamptz not null,
    kind          text        not null check (kind in
        ('registered', 'transition', 'step', 'outcome', 'cancel_requested', 'late_report', 'operator')),
    from_status   text,
    to_status     text,
    reason        text,
    cause         text,
    epoch         bigint,
    actor         text        not null,
    rule          text,
    data          jsonb,
    primary key (delegation_id, seq),
    constraint delegation_event_transition check (kind not in ('registered', 'transition') or to_status is not null)
);

-- The last accepted report of each attempt, so that the same one again can be given the same answer.
create table attempt_report (
    delegation_id uuid   not null references delegation (id) on delete cascade,
    epoch         bigint not null,
    status        text   not null,
    body_hash     bytea  not null,
    disposition   text   not null,
    primary key (delegation_id, epoch)
);

-- When beats were last being accepted, by any replica, and when they were accepted again after a gap.
create table beat_acceptance (
    singleton   boolean     primary key default true check (singleton),
    noted_at    timestamptz not null,
    returned_at timestamptz not null
) with (fillfactor = 50);
insert into beat_acceptance (noted_at, returned_at) values ('-infinity', '-infinity');

-- What all replicas' sweepers obey.
create table sweeper_control (
    singleton     boolean     primary key default true check (singleton),
    paused        boolean     not null default false,
    braking_since timestamptz
);
insert into sweeper_control default values;

-- Reports of the last sweeps.
create table sweep (
    id          bigint      generated always as identity primary key,
    started_at  timestamptz not null,
    duration_us bigint      not null,
    replica     text        not null,
    origin      text        not null,
    dry_run     boolean     not null,
    forced      boolean     not null,
    braked      boolean     not null,
    verdicts    jsonb       not null,
    conflicts   integer     not null,
    errors      integer     not null,
    held_back   integer     not null
);

-- Rows that the sweeper could not judge or write, with a growing pause before they are tried again.
create table set_aside (
    delegation_id uuid        primary key references delegation (id) on delete cascade,
    failures      integer     not null,
    first_at      timestamptz not null,
    last_at       timestamptz not null,
    until         timestamptz not null,
    error         text        not null
);
