-- How often in a row the probe of an attempt's holder said that it is dead.

alter table attempt
    add column dead_count      integer not null default 0 check (dead_count >= 0),
    add column dead_beat_at    timestamptz,
    add column dead_counted_at timestamptz,
    add column dead_counted_by text;

comment on column attempt.dead_count is
    'Stands only while the lease has this epoch, and dead_beat_at as its last_beat_at: any beat makes it void.';
comment on column attempt.dead_counted_at is 'When a dead answer last counted, also before a beat: once an interval.';
comment on column attempt.dead_counted_by is 'Which process of the service gave it.';

-- The candidates of the rule agent-dead; void counts are set to zero at every tick, so it stays small.
create index attempt_dead on attempt (delegation_id) where dead_count > 0;

-- The same for holders of named leases, whose counts a renewal sets to zero.
alter table resource_lease add column dead_counted_by text;
