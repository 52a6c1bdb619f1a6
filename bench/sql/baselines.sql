-- Tables for the baselines of heartbeats: one as wide as a delegation with its heartbeat indexed, and ready-made batches.
\set ON_ERROR_STOP on
set client_min_messages = warning;
drop table if exists bench.wide;
create table bench.wide as select d.*, now() as last_beat_at from delegation d where d.id <= bench.id(:rows);
alter table bench.wide add primary key (id);
create index wide_by_beat on bench.wide (last_beat_at);

truncate bench.batch;
insert into bench.batch
select b, (select array_agg(bench.id(n))
           from (select distinct 1 + floor(random() * :rows + 0 * b)::bigint as n from generate_series(1, 1100) limit 1000) as chosen)
from generate_series(1, 512) as b;
vacuum (analyze) bench.wide, bench.batch;
checkpoint;
