# shellcheck shell=bash
# The packaged service, as users run it. Its sweeper sweeps only when it is asked to, and its brake is off, unless a stage
# says otherwise.

SERVICE_PIDS=()

# start_service PORT [NAME=VALUE...]: further settings are environment variables. Sets SERVICE_PID; waits until it is ready.
start_service() {
    local port=$1
    shift
    # Words, not one argument.
    # shellcheck disable=SC2086
    env QUARKUS_DATASOURCE_JDBC_URL="jdbc:postgresql://127.0.0.1:$PG_PORT/rollcall" \
        QUARKUS_DATASOURCE_USERNAME=rollcall QUARKUS_DATASOURCE_PASSWORD=rollcall \
        QUARKUS_HTTP_HOST=127.0.0.1 QUARKUS_HTTP_PORT="$port" ROLLCALL_AUTH_MODE=none \
        ROLLCALL_SWEEPER_INTERVAL=PT1H ROLLCALL_SWEEPER_BRAKE_RATIO=2 "$@" \
        java ${BENCH_JAVA_OPTS:--Xmx512m} -jar "$JAR" >"$LOGS/service-$port.log" 2>&1 &
    SERVICE_PID=$!
    SERVICE_PIDS+=("$SERVICE_PID")
    local _
    for _ in $(seq 1 600); do
        if curl -fs -o /dev/null "http://127.0.0.1:$port/q/health/ready"; then
            return
        fi
        kill -0 "$SERVICE_PID" 2>/dev/null || break
        sleep 0.05
    done
    fail "the service did not become ready: see $LOGS/service-$port.log"
}

# stop_services [PID...]: these, or all.
stop_services() {
    local pids=("$@") pid
    [ "${#pids[@]}" -gt 0 ] || pids=("${SERVICE_PIDS[@]}")
    for pid in "${pids[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    for pid in "${pids[@]}"; do
        wait "$pid" 2>/dev/null || true
        SERVICE_PIDS=("${SERVICE_PIDS[@]/#$pid/}")
    done
    mapfile -t SERVICE_PIDS < <(printf '%s\n' "${SERVICE_PIDS[@]}" | grep . || true)
}

# Resident memory in MiB.
resident_mb() {
    awk '/^VmRSS/ {printf "%.0f\n", $2 / 1024}' "/proc/$1/status"
}

# A call whose answer counts; fails unless it succeeds.
call() {
    local method=$1 path=$2
    shift 2
    curl -fsS --max-time 300 -X "$method" -H 'Content-Type: application/json' "$@" "$URL$path"
}
