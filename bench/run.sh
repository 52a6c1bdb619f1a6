#!/usr/bin/env bash
# Measures Rollcall on this machine, each figure beside its baseline from the same minutes. bench/README.md tells how to
# read it.
#
#   bench/run.sh [short|full] [stage...]
#
# Writes target/bench/results.md and target/bench/results.json.
set -euo pipefail

BENCH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(dirname "$BENCH")
OUT=$ROOT/target/bench
LOGS=$OUT/logs

MODE=short
if [ "${1:-}" = short ] || [ "${1:-}" = full ]; then
    MODE=$1
    shift
fi
for part in tools build postgres service load data record report "$MODE"; do
    # shellcheck source=/dev/null
    source "$BENCH/lib/$part.sh"
done
STAGES=("$@")
[ "${#STAGES[@]}" -gt 0 ] || STAGES=("${MODE_STAGES[@]}")
for stage in "${STAGES[@]}"; do
    [ -f "$BENCH/stages/$stage.sh" ] || fail "no stage $stage; there are: $(basename -s .sh -a "$BENCH"/stages/*.sh | xargs)"
    # shellcheck source=/dev/null
    source "$BENCH/stages/$stage.sh"
done

cleanup() {
    end_stage
    stop_services
    stop_postgres
    rm -rf "$WORK"
}

# With all that it left running.
end_stage() {
    [ -z "$STAGE_PID" ] || kill -- -"$STAGE_PID" 2>/dev/null || true
    STAGE_PID=
}

# A stage that fails spoils no other. In a process group of its own, so that it can be ended with all that it started.
run_stage() {
    ensure_main_service
    say "stage $1"
    set -m
    "stage_$1" &
    set +m
    STAGE_PID=$!
    if ! wait "$STAGE_PID"; then
        FAILED+=("$1")
        data_spoilt
    fi
    end_stage
}

STAGE_PID=
FAILED=()
need_tools
build
rm -rf "$LOGS"
mkdir -p "$LOGS"
: >"$FIGURES"
WORK=$(mktemp -d "${TMPDIR:-/tmp}/rollcall-bench.XXXXXX")
chmod 755 "$WORK"
trap cleanup EXIT
trap 'exit 1' INT TERM

say "starting PostgreSQL and the service"
start_postgres
PORT=$(free_port)
URL=http://127.0.0.1:$PORT
ensure_main_service
sql_file schema.sql
for stage in "${STAGES[@]}"; do
    run_stage "$stage"
done
write_report
[ "${#FAILED[@]}" = 0 ] || fail "these stages failed: ${FAILED[*]}"
