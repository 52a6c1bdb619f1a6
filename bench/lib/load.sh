# shellcheck shell=bash
# Load: wrk over HTTP, pgbench for plain SQL. Both print one line of JSON.

declare -A WRK_PIDS=() WRK_OUT=()

# begin_wrk NAME SCRIPT CONNECTIONS SECONDS [NAME=VALUE...]: in the background.
begin_wrk() {
    local name=$1 script=$2 connections=$3 seconds=$4 threads=2
    shift 4
    [ "$connections" -ge 2 ] || threads=1
    WRK_OUT[$name]=$(mktemp "$LOGS/wrk-$name-XXXX.log")
    env BENCH_WRK="$BENCH/wrk" BENCH_THREADS="$threads" "$@" \
        wrk -t "$threads" -c "$connections" -d "${seconds}s" --timeout 10s -s "$BENCH/wrk/$script" "${WRK_URL:-$URL}" \
        >"${WRK_OUT[$name]}" 2>&1 &
    WRK_PIDS[$name]=$!
}

# Waits until it ends by itself.
await_wrk() {
    wait "${WRK_PIDS[$1]}" || true
}

# Ends it now; what it has measured counts.
end_wrk() {
    kill -INT "${WRK_PIDS[$1]}" 2>/dev/null || true
    await_wrk "$1"
}

# Prints {requests, seconds, errors, p50_ms, p99_ms, max_ms} of one that has ended.
wrk_result() {
    grep '^{' "${WRK_OUT[$1]}" | tail -n 1 | grep . || fail "wrk said nothing: see ${WRK_OUT[$1]}"
}

# wrk_run SCRIPT CONNECTIONS SECONDS [NAME=VALUE...]: all of it in one.
wrk_run() {
    begin_wrk "${1%.lua}" "$@"
    await_wrk "${1%.lua}"
    wrk_result "${1%.lua}"
}

# pgbench_run SCRIPT CLIENTS SECONDS [NAME=VALUE...]: prints {rate (transactions/s), p99_ms}.
pgbench_run() {
    local script=$1 clients=$2 seconds=$3 out variables=() variable log
    shift 3
    for variable in "$@"; do
        variables+=(-D "$variable")
    done
    log=$(mktemp -d "$LOGS/pgbench-${script%.sql}-XXXX")
    out=$log/out
    "$PG_BIN/pgbench" -n -M prepared -f "$BENCH/pgbench/$script" -c "$clients" -j 2 -T "$seconds" \
        --log --log-prefix="$log/transactions" "${variables[@]}" >"$out" 2>&1 || fail "pgbench failed: see $out"
    ! grep -q 'number of failed transactions: [1-9]' "$out" || fail "transactions failed: see $out"
    jq -nc --argjson rate "$(awk '/^tps/ {print $3}' "$out")" \
        --argjson p99 "$(cat "$log"/transactions* | awk '{print $3}' | sort -n | awk '{a[NR] = $1} END {print a[int(NR * .99 + .999)] / 1000}')" \
        '{rate: $rate, p99_ms: $p99}'
    rm -f "$log"/transactions*
}

# Requests a second, of one line of wrk. Errors end the benchmark: they would make the figure a lie.
rate_of() {
    jq -e 'if .errors > 0 then error("\(.errors) calls failed") else .requests / .seconds end' <<<"$1" \
        || fail "not all calls succeeded: $1"
}

field() {
    jq ".$1" <<<"$2"
}

product() {
    awk -v a="$1" -v b="$2" 'BEGIN {printf "%.6f\n", a * b}'
}

# warm_up COMMAND...: runs a load (its last argument: how many seconds) until twice in a row it did not get faster, for
# WARM_UP_S seconds at most. A JVM on two cores takes its time to compile what is hot.
warm_up() {
    local spent=0 best=0 calm=0 rate
    while [ "$spent" -lt "$WARM_UP_S" ] && [ "$calm" -lt 2 ]; do
        rate=$(rate_of "$("$@" "$WARM_UP_PIECE_S")")
        spent=$((spent + WARM_UP_PIECE_S))
        if awk -v rate="$rate" -v best="$best" 'BEGIN {exit !(rate > best * 1.03)}'; then
            best=$rate calm=0
        else
            calm=$((calm + 1))
        fi
    done
}

# beats_at_full_speed ROWS SECONDS: to warm up before paced ones.
beats_at_full_speed() {
    wrk_run heartbeat.lua 64 "$2" BENCH_ROWS="$1"
}

# Seconds since $1, which is `date +%s.%N` then.
seconds_since() {
    awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN {printf "%.3f\n", to - from}'
}
