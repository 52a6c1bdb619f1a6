-- Replaces all delegations by the first :rows of the data set :kind, as the service would have written them. Without foreign
-- keys and with the indexes built afterwards: it is the same data, sooner. Leases last :lease_us and go stale in ten minutes.
\set ON_ERROR_STOP on
set client_min_messages = warning;
set session_replication_role = replica;
set maintenance_work_mem = '512MB';
set synchronous_commit = off;

truncate delegation cascade;

create temporary table saved_index as
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index i
    where indrelid = 'delegation'::regclass
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid);
select format('drop index %s', name) from saved_index \gexec

insert into delegation
    (id, version, status, reason, cause, retryable, caller, agent, queue, task, priority, labels, payload, recovery, epoch,
     requeue_count, max_requeues, created_at, updated_at, started_at, finished_at, deadline_at, available_at, due_at,
     body_hash, holder)
select bench.id(n), case when status = 'queued' then 0 else 1 end, status,
       case status when 'completed' then 'agent_reported' when 'cancelled' then 'cancelled'
                   when 'failed' then 'retries_exhausted' when 'stuck' then 'heartbeat_stale' end,
       case when status in ('failed', 'stuck') then 'heartbeat_stale' end,
       case when status in ('failed', 'stuck') then true end,
       'caller-' || n % 50,
       case when :'kind' = 'live' then 'agent-' || n % 2000 end,
       case :'kind' when 'backlog' then 'backlog' when 'mixed' then 'queue-' || n % 20 end,
       'Build the image of commit ' || substr(md5(n::text), 1, 12) || ' and run its tests',
       5,
       jsonb_build_object('team', 'team-' || n % 40, 'repository', 'repository-' || n % 500),
       jsonb_build_object('repository', 'https://git.example.org/team-' || n % 40 || '/repository-' || n % 500,
                          'commit', md5(n::text) || substr(md5((-n)::text), 1, 8), 'branch', 'change/' || n,
                          'steps', jsonb_build_array('compile', 'test', 'package')),
       case when :'kind' = 'live' then 'none' else 'requeue' end,
       case when status = 'queued' then 0 else 1 end,
       0, 3,
       created_at, created_at,
       case when status not in ('queued', 'dispatched') then created_at end,
       case when final then now() end,
       now() + interval '6 hours',
       case when :'kind' <> 'live' then created_at end,
       case when not final then now() + interval '6 hours' end,
       sha256(n::text::bytea),
       case when status <> 'queued' then 'agent-' || n % 2000 end
from (select n, now() - interval '1 hour' + n * (interval '1 hour' / :rows) as created_at,
             bench.status(:'kind', n) as status,
             bench.status(:'kind', n) in ('completed', 'failed', 'cancelled') as final
      from generate_series(1::bigint, :rows) as n) as made;

insert into lease (delegation_id, epoch, acquired_at, last_beat_at, stale_at, lease_us, begun, stuck, sole, holder)
select id, epoch, created_at, now(), now() + interval '10 minutes', :lease_us, status <> 'dispatched', status = 'stuck',
       :'kind' = 'live', holder
from delegation where status in ('dispatched', 'in_progress', 'stuck') order by id;

insert into delegation_event (delegation_id, seq, at, kind, to_status, epoch, actor)
select id, 1, created_at, 'registered', case when agent is null then 'queued' else 'dispatched' end,
       case when agent is null then 0 else 1 end, 'caller:' || caller
from delegation order by id;
insert into delegation_event (delegation_id, seq, at, kind, from_status, to_status, reason, epoch, actor)
select id, 2, updated_at, 'transition', case when status = 'in_progress' then 'dispatched' else 'in_progress' end, status,
       reason, epoch, 'agent:' || holder
from delegation where status <> 'queued' order by id;

select definition from saved_index \gexec

vacuum (analyze) delegation, lease, delegation_event;
checkpoint;
