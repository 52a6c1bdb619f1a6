-- What the planner and autovacuum have to know of a large ledger.

-- With the usual sample (30,000 rows, the 100 most common values) a label of one row in a thousand looks like one in ten:
-- its list would follow the index of the sort through everything instead of asking the index of labels.
alter table delegation alter column labels set statistics 1000;

-- The statistics are counts over all rows, so they read indexes alone: what waits in queues is counted by
-- delegation_by_queue, what was handed out directly by this one. Rows of queues are not in it: a claim pays nothing for it.
create index delegation_direct on delegation (status, epoch, queue) where agent is not null;

-- An index alone answers only where the table's pages are known to be visible to all; and each transition leaves a dead
-- row and as many dead index entries as there are indexes. The defaults would wait for a fifth of the ledger. What the
-- planner asks changes more slowly, and the larger sample costs seconds.
alter table delegation set (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.2
);

-- Each beat counts as a change, a million a minute, yet nothing that the planner asks of leases changes with it.
alter table lease set (autovacuum_analyze_scale_factor = 1);

-- Only grows, until retention deletes: with the default it would be frozen a fifth at once, which takes minutes.
alter table delegation_event set (
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_insert_scale_factor = 0.05
);

-- One row an attempt, written anew with each.
alter table attempt set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
alter table attempt_report set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
