# shellcheck shell=bash
# The data sets, loaded by SQL. A stage says what it needs; what is there already is not loaded again.

DATA_SET=

# data_set KIND ROWS [LEASE_S]: live (in progress, direct), backlog (queued), mixed (all statuses, 20 queues).
data_set() {
    local lease_s=${3:-600}
    if [ "$DATA_SET" != "$1 $2 $lease_s" ]; then
        say "loading $2 $1 delegations"
        sql_file load.sql kind="$1" rows="$2" lease_us="${lease_s}000000"
        DATA_SET="$1 $2 $lease_s"
    fi
}

# The stage leaves other data behind.
data_spoilt() {
    DATA_SET=
}
