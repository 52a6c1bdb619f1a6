# shellcheck shell=bash
# Two minutes: whether everything works, and about how fast. Not for comparing.
# shellcheck disable=SC2034
REPEATS=1 SECONDS_EACH=3 WARM_UP_S=15
LIVE_ROWS=50000
BACKLOG_ROWS=100000
MIXED_ROWS=100000
DEEP_PAGE=15
DELAYED_ROWS=5000
SNAPSHOT_S=5
