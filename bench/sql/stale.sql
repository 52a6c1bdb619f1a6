-- Every third of the first :rows leases has gone stale, and no outage excuses it.
\set ON_ERROR_STOP on
set synchronous_commit = off;
update beat_acceptance set returned_at = '-infinity';
update lease set last_beat_at = now() - interval '601 seconds', stale_at = now() - interval '1 second'
where delegation_id in (select bench.id(3 * n) from generate_series(1::bigint, :rows / 3) as n);
vacuum (analyze) lease;
checkpoint;
