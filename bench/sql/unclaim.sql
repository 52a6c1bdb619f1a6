-- Puts everything that was claimed back into the backlog.
\set ON_ERROR_STOP on
set synchronous_commit = off;
truncate lease, attempt;
delete from delegation_event e using delegation d where d.id = e.delegation_id and d.status = 'dispatched' and e.seq > 1;
update delegation set status = 'queued', version = 0, epoch = 0, holder = null where status = 'dispatched';
vacuum (analyze) delegation, lease, delegation_event;
checkpoint;
