# shellcheck shell=bash
# What a tick takes where nothing is wrong: one scan of very many leases that all beat; and what beats feel of it.

# Seconds of an ISO-8601 duration up to hours, as milliseconds.
iso_ms='capture("^PT((?<h>[0-9.]+)H)?((?<m>[0-9.]+)M)?((?<s>[0-9.]+)S)?$")
    | 1000 * ((.h // "0" | tonumber) * 3600 + (.m // "0" | tonumber) * 60 + (.s // "0" | tonumber))'

stage_tick() {
    local ticks=() calm _
    data_set live "$TICK_ROWS"
    data_spoilt
    warm_up beats_at_full_speed "$TICK_ROWS"
    begin_wrk tick-feed feed.lua 20 600 BENCH_ROWS="$TICK_ROWS" BENCH_ITEMS=500 BENCH_BEAT_EVERY_S=60
    calm=$(field p99_ms "$(single_beats "$SECONDS_EACH")")
    for _ in 1 2 3; do
        call POST /v1/sweeper/sweep >/dev/null
    done
    begin_wrk tick-single heartbeat.lua 16 600 BENCH_ROWS="$TICK_ROWS" BENCH_RATE=200
    for _ in $(seq 1 "$TICKS"); do
        ticks+=("$(call POST /v1/sweeper/sweep | jq ".duration | $iso_ms")")
    done
    end_wrk tick-single
    end_wrk tick-feed
    rate_of "$(wrk_result tick-feed)" >/dev/null
    rate_of "$(wrk_result tick-single)" >/dev/null
    figure tick "tick over $TICK_ROWS live leases that beat every 60 s" ms "500 ms" 'value<=500' "" "${ticks[*]}" \
        "$TICKS ticks, one after the other"
    figure tick "p99 of single heartbeats meanwhile, against without ticks" ms "250 ms" 'value<=250' "$calm" \
        "$(field p99_ms "$(wrk_result tick-single)")"
}

single_beats() {
    wrk_run heartbeat.lua 16 "$1" BENCH_ROWS="$TICK_ROWS" BENCH_RATE=200
}
