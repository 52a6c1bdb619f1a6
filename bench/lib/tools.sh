# shellcheck shell=bash
# What the benchmark needs on this machine. What is missing is installed by its name where that is possible.

say() {
    printf '%s  %s\n' "$(date +%T)" "$*" >&2
}

fail() {
    say "bench: $*"
    exit 1
}

# The folder with initdb, pg_ctl and pgbench: the newest installed.
find_postgres() {
    { find /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin -maxdepth 1 -name initdb 2>/dev/null || true; } \
        | sort -V | tail -n 1 | xargs -r dirname
}

missing_packages() {
    command -v wrk >/dev/null || echo wrk
    command -v jq >/dev/null || echo jq
    command -v curl >/dev/null || echo curl
    [ -n "$(find_postgres)" ] || echo postgresql
}

need_tools() {
    local packages
    mapfile -t packages < <(missing_packages)
    if [ "${#packages[@]}" -gt 0 ]; then
        if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
            fail "please install: ${packages[*]}"
        fi
        say "installing ${packages[*]}"
        { apt-get update -qq && apt-get install -y -qq "${packages[@]}"; } >&2
    fi
    PG_BIN=$(find_postgres)
    [ -n "$PG_BIN" ] || fail "no initdb found: please install PostgreSQL 14 or newer"
}

# A port on 127.0.0.1 that nobody listens on.
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 20000))
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            echo "$port"
            return
        fi
    done
}
