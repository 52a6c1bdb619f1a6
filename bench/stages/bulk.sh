# shellcheck shell=bash
# Bulk heartbeats: 1,000 random ids to a call, 4 callers.

bulk_beats() {
    wrk_run bulk.lua 4 "$1" BENCH_ROWS="$LIVE_ROWS" BENCH_ITEMS=1000
}

stage_bulk() {
    local plain=() ours=() p99=() line _
    data_set live "$LIVE_ROWS"
    sql_file baselines.sql rows="$LIVE_ROWS"
    warm_up bulk_beats
    for _ in $(seq 1 "$REPEATS"); do
        plain+=("$(product 1000 "$(field rate "$(pgbench_run bulk.sql 2 "$SECONDS_EACH")")")")
        line=$(bulk_beats "$SECONDS_EACH")
        ours+=("$(product 1000 "$(rate_of "$line")")")
        p99+=("$(field p99_ms "$line")")
    done
    figure bulk "bulk heartbeats, 1,000 to a call, against 1,000 to an UPDATE" "beats/s" "0.65 of it" 'ratio>=0.65' \
        "${plain[*]}" "${ours[*]}"
    figure bulk "a bulk call of 1,000, p99" ms "" - "" "${p99[*]}"
}
