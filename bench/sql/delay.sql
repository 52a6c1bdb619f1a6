-- Adds :rows to the backlog that can't be claimed for an hour, and would come first if they could.
\set ON_ERROR_STOP on
set synchronous_commit = off;
insert into delegation
    (id, version, status, caller, queue, task, priority, labels, payload, recovery, epoch, requeue_count, max_requeues,
     created_at, updated_at, deadline_at, available_at, due_at, body_hash)
select bench.id(2000000000 + n), 0, 'queued', 'caller-delayed', queue, task, 9, labels, payload, recovery, 0, 0, 3,
       now(), now(), now() + interval '6 hours', now() + interval '1 hour', now() + interval '6 hours', body_hash
from generate_series(1::bigint, :rows) as n join delegation d on d.id = bench.id(n);
vacuum (analyze) delegation;
checkpoint;
