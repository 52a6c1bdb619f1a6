# shellcheck shell=bash
# From start to ready, on a ledger that is up to date, and resident memory after that. Under load: see heartbeats.

stage_startup() {
    local ready=() resident=() before _
    for _ in $(seq 1 "$REPEATS"); do
        before=$(date +%s.%N)
        start_service another "$(free_port)"
        ready+=("$(seconds_since "$before")")
        sleep 3
        resident+=("$(resident_mb another)")
        stop_service another
    done
    figure startup "start to ready" s "" - "" "${ready[*]}"
    figure startup "resident memory, idle" MiB "" - "" "${resident[*]}" "JVM with ${BENCH_JAVA_OPTS:--Xmx512m}"
}
