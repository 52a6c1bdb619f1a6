# shellcheck shell=bash
# The data sets, loaded by SQL. A stage says what it needs; what is there already is not loaded again.

# data_set KIND ROWS [LEASE_S]: live (in progress, direct), backlog (queued), mixed (all statuses, 20 queues).
data_set() {
    local wanted="$1 $2 ${3:-600}"
    if [ "$(cat "$WORK/data-set" 2>/dev/null)" != "$wanted" ]; then
        data_spoilt
        say "loading $2 $1 delegations"
        sql_file load.sql kind="$1" rows="$2" lease_us="${3:-600}000000"
        echo "$wanted" >"$WORK/data-set"
    fi
}

# The stage leaves other data behind.
data_spoilt() {
    rm -f "$WORK/data-set"
}
