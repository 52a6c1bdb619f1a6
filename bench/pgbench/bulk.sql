\set n random(1, 512)
with locked as (
    select delegation_id from lease where delegation_id = any((select ids from bench.batch where n = :n)::uuid[])
    order by delegation_id for no key update
)
update lease l set last_beat_at = now(), stale_at = now() + l.lease_us * interval '1 microsecond'
from locked k where l.delegation_id = k.delegation_id;
