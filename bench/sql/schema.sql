-- What the benchmark needs beside the tables of the service: ids computed from numbers, and tables for the baselines.
create schema bench;

-- The id of the n-th delegation. bench/wrk/common.lua computes the same.
create function bench.id(n bigint) returns uuid language sql immutable parallel safe as
    $$ select cast('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0') as uuid) $$;

-- The status of the n-th delegation of a data set.
create function bench.status(kind text, n bigint) returns text language sql immutable parallel safe as $$
    select case
        when kind = 'live' then 'in_progress'
        when kind = 'backlog' then 'queued'
        when n % 200 = 0 then 'stuck'
        when n % 100 = 0 then 'failed'
        when n % 100 <= 80 then 'completed'
        when n % 100 <= 90 then 'queued'
        when n % 100 <= 95 then 'in_progress'
        when n % 100 <= 96 then 'dispatched'
        else 'cancelled'
    end $$;

-- Numbers the rows that pgbench registers; ids of the service are in the order of time too.
create sequence bench.registered start 1000000000;

-- 1,000 random ids each, made beforehand so that the baseline is nothing but the UPDATE.
create table bench.batch (n integer primary key, ids uuid[] not null);
alter table bench.batch alter column ids set storage external;
