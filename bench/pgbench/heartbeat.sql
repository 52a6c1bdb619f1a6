\set n random(1, :rows)
update bench.wide set last_beat_at = now() where id = bench.id(cast(:n as bigint));
