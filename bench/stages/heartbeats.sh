# shellcheck shell=bash
# Single heartbeats: 64 connections, random ids of live leases.

heartbeats() {
    wrk_run heartbeat.lua 64 "$2" BENCH_ROWS="$LIVE_ROWS" BENCH_PATH="$1"
}

stage_heartbeats() {
    local idle=() ours=() plain=() p99=() line _
    local path=/v1/delegations/%s/heartbeat idle_path=/bench/heartbeat/%s
    data_set live "$LIVE_ROWS"
    sql_file baselines.sql rows="$LIVE_ROWS"
    WARM_UP_S=$FIRST_WARM_UP_S warm_up heartbeats "$path"
    WARM_UP_S=$FIRST_WARM_UP_S warm_up heartbeats "$idle_path"
    for _ in $(seq 1 "$REPEATS"); do
        idle+=("$(rate_of "$(heartbeats "$idle_path" "$SECONDS_EACH")")")
        line=$(heartbeats "$path" "$SECONDS_EACH")
        ours+=("$(rate_of "$line")")
        p99+=("$(field p99_ms "$line")")
        plain+=("$(field rate "$(pgbench_run heartbeat.sql 16 "$SECONDS_EACH" rows="$LIVE_ROWS")")")
    done
    figure heartbeats "single heartbeats against the same call without work" "/s" "0.5 of it" 'ratio>=0.5' \
        "${idle[*]}" "${ours[*]}"
    figure heartbeats "single heartbeats against one UPDATE a transaction (pgbench)" "/s" "5 times" 'ratio>=5' \
        "${plain[*]}" "${ours[*]}"
    figure heartbeats "single heartbeats at full load, p99" ms "" - "" "${p99[*]}"
    figure heartbeats "resident memory after that" MiB "" - "" "$(resident_mb main)" "JVM with ${BENCH_JAVA_OPTS:--Xmx512m}"
}
