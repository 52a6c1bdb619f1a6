\set n random(1, 1000000)
with added as (
    insert into delegation
        (id, version, status, caller, queue, task, priority, labels, payload, recovery, epoch, requeue_count, max_requeues,
         created_at, updated_at, deadline_at, available_at, due_at, body_hash)
    select bench.id(nextval('bench.registered')), 0, 'queued', 'caller-' || n % 50, 'registered',
           'Build the image of commit ' || to_hex(n) || ' and run its tests', 5,
           jsonb_build_object('team', 'team-' || n % 40, 'repository', 'repository-' || n % 500),
           jsonb_build_object('repository', 'https://git.example.org/team-' || n % 40 || '/repository-' || n % 500,
                              'commit', lpad(to_hex(n), 40, '0'), 'branch', 'change/' || n,
                              'steps', jsonb_build_array('compile', 'test', 'package')),
           'requeue', 0, 0, 3, now(), now(), now() + interval '6 hours', now(), now() + interval '6 hours',
           sha256(cast(cast(n as text) as bytea))
    from (select cast(:n as bigint) + i as n from generate_series(1, cast(:items as integer)) as i) as wanted
    returning id, caller
)
insert into delegation_event (delegation_id, seq, at, kind, to_status, epoch, actor)
select id, 1, now(), 'registered', 'queued', 0, 'caller:' || caller from added;
