# shellcheck shell=bash
# From start to ready, on a ledger that is up to date, and resident memory after that. Under load: see heartbeats.

stage_startup() {
    local ready=() resident=() before _
    for _ in $(seq 1 "$REPEATS"); do
        before=$(date +%s.%N)
        start_service "$(free_port)"
        ready+=("$(awk -v from="$before" -v to="$(date +%s.%N)" 'BEGIN {print to - from}')")
        sleep 3
        resident+=("$(resident_mb "$SERVICE_PID")")
        stop_services "$SERVICE_PID"
    done
    figure startup "start to ready" s "" - "" "${ready[*]}"
    figure startup "resident memory, idle" MiB "" - "" "${resident[*]}" "JVM with ${BENCH_JAVA_OPTS:--Xmx512m}"
}
