# shellcheck shell=bash
# A third of all leases goes stale at once; the others keep beating.

stage_stale() {
    local took=() p99=() plain_p99=() line _
    data_set live "$STALE_ROWS"
    warm_up beats_at_full_speed "$STALE_ROWS"
    for _ in $(seq 1 "$REPEATS"); do
        data_set live "$STALE_ROWS"
        data_spoilt
        line=$(wrk_run heartbeat.lua 64 "$SECONDS_EACH" BENCH_ROWS="$STALE_ROWS" BENCH_LEFT_OUT=3 BENCH_RATE="$STALE_BEATS")
        rate_of "$line" >/dev/null
        plain_p99+=("$(field p99_ms "$line")")
        sql_file stale.sql rows="$STALE_ROWS"
        begin_wrk stale heartbeat.lua 64 300 BENCH_ROWS="$STALE_ROWS" BENCH_LEFT_OUT=3 BENCH_RATE="$STALE_BEATS"
        took+=("$(sweep_until_stuck)")
        end_wrk stale
        rate_of "$(wrk_result stale)" >/dev/null
        p99+=("$(field p99_ms "$(wrk_result stale)")")
    done
    figure stale "$((STALE_ROWS / 3)) of $STALE_ROWS leases stale at once, until all are stuck" s "20 s" 'value<=20' "" "${took[*]}"
    figure stale "p99 of $STALE_BEATS heartbeats/s of the others meanwhile, against before" ms "250 ms" 'value<=250' \
        "${plain_p99[*]}" "${p99[*]}"
}

# Prints how many seconds it took. Each has its event then, and nobody else lost anything.
sweep_until_stuck() {
    local before stuck=0 found
    before=$(date +%s.%N)
    while [ "$stuck" -lt "$((STALE_ROWS / 3))" ]; do
        call POST /v1/sweeper/sweep >/dev/null
        stuck=$(sql "select count(*) from lease where stuck")
    done
    seconds_since "$before"
    found=$(sql "
        select count(*) filter (where d.status = 'stuck' and e.reason = 'heartbeat_stale') || ' ' ||
               count(*) filter (where d.status = 'in_progress' and e.seq is null) || ' ' || count(l.delegation_id)
        from delegation d left join lease l on l.delegation_id = d.id
        left join delegation_event e on e.delegation_id = d.id and e.to_status = 'stuck'")
    [ "$found" = "$((STALE_ROWS / 3)) $((STALE_ROWS - STALE_ROWS / 3)) $STALE_ROWS" ] \
        || fail "the sweep left stuck, in progress, leases: $found"
}
