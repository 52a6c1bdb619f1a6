# shellcheck shell=bash
# Two minutes or a little more: whether everything works, and about how fast. Not for comparing: the JVM is not even warm.
# shellcheck disable=SC2034
REPEATS=1 SECONDS_EACH=2 FIRST_WARM_UP_S=12 WARM_UP_S=4 WARM_UP_PIECE_S=2
LIVE_ROWS=50000
BACKLOG_ROWS=50000
MIXED_ROWS=50000
DEEP_PAGE=8
DELAYED_ROWS=5000
SNAPSHOT_S=3
STALE_ROWS=15000
STALE_BEATS=1000
HOT_S=6
HOT_EVERY_S=2
TICK_ROWS=50000
TICKS=10
MILLION_ROWS=100000
MILLION_S=60
MILLION_BEAT_EVERY_S=10
MILLION_LEASE_S=15
MILLION_INTERVAL_S=4
MODE_STAGES=(startup heartbeats bulk hot claims register lists stats stale tick)
