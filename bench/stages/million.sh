# shellcheck shell=bash
# Very many delegations in progress, kept alive by bulk beats through two replicas with little memory, for minutes; a
# hundred of them fall silent one after the other.

SILENT=100

stage_million() {
    local other_port other_url started heap=()
    data_set live "$MILLION_ROWS" "$MILLION_LEASE_S"
    data_spoilt
    stop_services
    other_port=$(free_port)
    other_url=http://127.0.0.1:$other_port
    start_replica main "$PORT"
    start_replica other "$other_port"
    sql_file silence.sql rows="$MILLION_ROWS" silent="$SILENT" first_s="$((MILLION_LEASE_S + 10))" last_s="$((MILLION_S - 30))"
    begin_half 0
    WRK_URL=$other_url begin_half 1
    started=$SECONDS
    while [ "$((SECONDS - started))" -lt "$MILLION_S" ]; do
        sleep 5
        heap+=("$(heap_mb "$URL") $(heap_mb "$other_url")")
    done
    RESIDENT="$(resident_mb main) $(resident_mb other)"
    GC="$(gc "$URL"), $(gc "$other_url")"
    await_wrk million-0
    await_wrk million-1
    report_million "$(tr ' ' '\n' <<<"${heap[*]}" | sort -n | tail -n 1)"
    stop_services
}

start_replica() {
    BENCH_JAVA_OPTS=-Xmx256m start_service "$1" "$2" ROLLCALL_SWEEPER_INTERVAL="PT${MILLION_INTERVAL_S}S" \
        ROLLCALL_SWEEPER_BRAKE_RATIO=0.5
}

begin_half() {
    begin_wrk "million-$1" feed.lua 10 "$MILLION_S" BENCH_ROWS="$MILLION_ROWS" BENCH_ITEMS=500 \
        BENCH_BEAT_EVERY_S="$MILLION_BEAT_EVERY_S" BENCH_SILENT="$SILENT" BENCH_PARTS=2 BENCH_PART="$1"
}

metric() {
    curl -fsS "$1/q/metrics"
}

heap_mb() {
    metric "$1" | awk '/^jvm_memory_used_bytes\{.*area="heap"/ {sum += $NF} END {printf "%.1f\n", sum / 1048576}'
}

# How often it collected garbage, and how long that took.
gc() {
    metric "$1" | awk '/^jvm_gc_pause_seconds_count/ {n += $NF} /^jvm_gc_pause_seconds_sum/ {s += $NF}
        END {printf "%d collections in %.2f s", n, s}'
}

report_million() {
    local part lags lost
    for part in 0 1; do
        rate_of "$(wrk_result "million-$part")" >/dev/null
        say "$(wrk_result "million-$part")"
    done
    lags=$(sql "
        select extract(epoch from e.at - greatest(l.stale_at, a.returned_at + l.lease_us * interval '1 microsecond'))
        from delegation_event e join lease l on l.delegation_id = e.delegation_id cross join beat_acceptance a
        where e.to_status = 'stuck' and e.reason = 'heartbeat_stale'" | tr '\n' ' ')
    [ "$(wc -w <<<"$lags")" = "$SILENT" ] || fail "$(wc -w <<<"$lags") are stuck instead of $SILENT"
    lost=$(sql "select $MILLION_ROWS - count(*) from delegation d join lease l on l.delegation_id = d.id and l.epoch = 1
        where d.status in ('in_progress', 'stuck')")
    figure million "$MILLION_ROWS in progress, a beat each $MILLION_BEAT_EVERY_S s, $MILLION_S s: leases lost" "" none 'value<=0' \
        "" "$lost" "besides $SILENT that fell silent"
    figure million "detection lag, an interval of $MILLION_INTERVAL_S s" s "interval + 1 s, the longest" \
        "value<=$((MILLION_INTERVAL_S + 1))" "" "$(tr ' ' '\n' <<<"$lags" | sort -n | tail -n 1)"
    figure million "heap in use, the most of both replicas" MiB "256 MiB" 'value<=256' "" "$1" "-Xmx256m; $GC"
    figure million "resident memory of each replica" MiB "" - "" "$RESIDENT"
    figure million "bulk calls of 500, p99" ms "" - "" \
        "$(field p99_ms "$(wrk_result million-0)") $(field p99_ms "$(wrk_result million-1)")"
}
