with claimable as materialized (
    select c.id from unnest(array[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]) as p(priority)
    cross join lateral (
        select d.id from delegation d
        where d.queue = 'backlog' and d.status = 'queued' and d.priority = p.priority
          and d.available_at <= now() and d.due_at > now()
        order by d.available_at, d.id limit 10 for no key update skip locked) c
    limit 10
), acquired as (
    update delegation d set status = 'dispatched', epoch = d.epoch + 1, version = d.version + 1,
        holder = 'agent-' || :client_id, updated_at = now(), due_at = d.deadline_at
    from claimable c where d.id = c.id
    returning d.*
), leased as (
    insert into lease (delegation_id, epoch, holder, acquired_at, last_beat_at, stale_at, lease_us, sole)
    select id, epoch, holder, now(), now(), now() + interval '10 minutes', 600000000, false from acquired
), told as (
    insert into delegation_event (delegation_id, seq, at, kind, from_status, to_status, epoch, actor)
    select id, 2, now(), 'transition', 'queued', 'dispatched', epoch, 'agent:' || holder from acquired
)
select * from acquired;
