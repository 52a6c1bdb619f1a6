# shellcheck shell=bash
# The packaged service, as users run it. Its sweeper sweeps only when it is asked to, and its brake is off, unless a stage
# says otherwise. The file $WORK/services/NAME holds the process id of each that runs.

# start_service NAME PORT [SETTING=VALUE...]: further settings are environment variables. Waits until it is ready.
start_service() {
    local name=$1 port=$2 log=$LOGS/service-$1.log
    shift 2
    # Words, not one argument.
    # shellcheck disable=SC2086
    env QUARKUS_DATASOURCE_JDBC_URL="jdbc:postgresql://127.0.0.1:$PG_PORT/rollcall" \
        QUARKUS_DATASOURCE_USERNAME=rollcall QUARKUS_DATASOURCE_PASSWORD=rollcall \
        QUARKUS_HTTP_HOST=127.0.0.1 QUARKUS_HTTP_PORT="$port" ROLLCALL_AUTH_MODE=none \
        ROLLCALL_SWEEPER_INTERVAL=PT1H ROLLCALL_SWEEPER_BRAKE_RATIO=2 "$@" \
        java ${BENCH_JAVA_OPTS:--Xmx512m} -jar "$JAR" >>"$log" 2>&1 &
    mkdir -p "$WORK/services"
    echo $! >"$WORK/services/$name"
    local _
    for _ in $(seq 1 600); do
        if curl -fs -o /dev/null "http://127.0.0.1:$port/q/health/ready"; then
            return
        fi
        kill -0 "$(service_pid "$name")" 2>/dev/null || break
        sleep 0.05
    done
    fail "the service did not become ready: see $log"
}

service_pid() {
    cat "$WORK/services/$1"
}

# stop_service NAME
stop_service() {
    local pid
    pid=$(service_pid "$1")
    kill "$pid" 2>/dev/null || true
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.1
    done
    rm "$WORK/services/$1"
}

stop_services() {
    local file
    for file in "$WORK"/services/*; do
        [ ! -f "$file" ] || stop_service "$(basename "$file")"
    done
}

# The one that most stages use, at $URL: starts it unless it runs, alone.
ensure_main_service() {
    if [ "$(ls "$WORK/services" 2>/dev/null)" != main ] || ! kill -0 "$(service_pid main)" 2>/dev/null; then
        stop_services
        start_service main "$PORT"
    fi
}

# Resident memory in MiB of the service NAME.
resident_mb() {
    awk '/^VmRSS/ {printf "%.0f\n", $2 / 1024}' "/proc/$(service_pid "$1")/status"
}

# A call whose answer counts; fails unless it succeeds.
call() {
    local method=$1 path=$2
    shift 2
    curl -fsS --max-time 300 -X "$method" -H 'Content-Type: application/json' "$@" "$URL$path"
}
