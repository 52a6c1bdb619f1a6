-- What a million live leases need.

-- Renews leases in one pass. Two of these, or one and a sweep, must lock the same rows in the same order, or they would
-- deadlock: the beats come sorted by id, and each finds its lease by the index. What is switched off are the ways to
-- visit the leases in another order. Locking all rows first, in a statement part of its own, costs a third more. At most one
-- beat a delegation; an array in which nothing is said may be null.
-- Leases not begun are left alone unless told otherwise, since a first beat also changes the delegation.
create function renew_leases(
    ids uuid[], epochs bigint[], progresses float8[], notes text[], effects boolean[], lease_times bigint[],
    beginning boolean)
returns table (
    delegation_id uuid, epoch bigint, stuck boolean, cancel_asked boolean, stale_at timestamptz, lease_us bigint,
    renewed_at timestamptz)
language plpgsql
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
    return query update lease l set
        last_beat_at = greatest(l.last_beat_at, now()),
        stale_at = greatest(l.last_beat_at, now()) + coalesce(b.lease_us, l.lease_us) * interval '1 microsecond',
        lease_us = coalesce(b.lease_us, l.lease_us),
        progress = coalesce(b.progress, l.progress),
        note = coalesce(b.note, l.note),
        non_idempotent = coalesce(b.non_idempotent, l.non_idempotent),
        begun = true
    from (select u.* from unnest(ids, epochs, progresses, notes, effects, lease_times)
            as u(id, epoch, progress, note, non_idempotent, lease_us) order by u.id) b
    where l.delegation_id = b.id and (l.epoch = b.epoch or (b.epoch is null and l.sole)) and (l.begun or beginning)
    returning l.delegation_id, l.epoch, l.stuck, l.cancel_asked, l.stale_at, l.lease_us, now();
end $$;
