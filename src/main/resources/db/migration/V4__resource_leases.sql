-- Named locks: who may touch a resource, and until when. A row exists while a lease is held, and until the next sweep or
-- acquisition after it became free.

-- The fencing tokens of all names. A name that was released gets a higher one the next time.
create sequence resource_lease_epoch;

create table resource_lease (
    name             text        primary key,
    epoch            bigint      not null check (epoch > 0),
    holder           text        not null,
    request_id       text,
    ttl_us           bigint      not null check (ttl_us > 0),
    acquired_at      timestamptz not null,
    renewed_at       timestamptz not null,
    expires_at       timestamptz not null,
    delegation_id    uuid,
    delegation_epoch bigint,
    probe            jsonb,
    dead_answers     integer     not null default 0 check (dead_answers >= 0),
    dead_counted_at  timestamptz,

    constraint resource_lease_tied_to_an_attempt check ((delegation_id is null) = (delegation_epoch is null)),
    constraint resource_lease_counts_answers check ((dead_answers = 0) = (dead_counted_at is null))
) with (fillfactor = 50);

comment on column resource_lease.expires_at is
    'renewed_at + ttl_us. Effective is the later of this and beat_acceptance.returned_at + ttl_us.';
comment on column resource_lease.delegation_id is
    'It is free once the lease of this delegation with delegation_epoch is no more. Not a foreign key: the end of an attempt must not wait for it.';
comment on column resource_lease.dead_answers is 'How often its probe said dead since the last renewal, once an interval.';
