-- :silent of the first :rows leases, those that bench/wrk/feed.lua leaves out, go stale one after the other, from :first_s to
-- :last_s seconds from now.
\set ON_ERROR_STOP on
update lease l set stale_at = now() + (:first_s + n * (:last_s - :first_s) / :silent.0) * interval '1 second'
from generate_series(0::bigint, :silent - 1) as n
where l.delegation_id = bench.id(n * 618033 % :rows + 1);
