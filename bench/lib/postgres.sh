# shellcheck shell=bash
# A PostgreSQL of our own, in a temporary folder, on 127.0.0.1. bench/README.md tells why these settings.

postgres_run() {
    if [ "$(id -u)" = 0 ]; then
        (cd "$WORK" && su postgres -s /bin/bash -c "$(printf '%q ' "$@")")
    else
        "$@"
    fi
}

memory_mb() {
    awk '/^MemTotal/ {print int($2 / 1024)}' /proc/meminfo
}

start_postgres() {
    PG_DATA=$WORK/postgresql
    PG_PORT=$(free_port)
    local buffers_mb=$(($(memory_mb) / 4))
    [ "$buffers_mb" -le 2048 ] || buffers_mb=2048
    mkdir "$PG_DATA"
    [ "$(id -u)" != 0 ] || chown postgres "$PG_DATA"
    postgres_run "$PG_BIN/initdb" -D "$PG_DATA" -U rollcall --auth=trust --encoding=UTF8 --no-locale >"$LOGS/initdb.log"
    cat >>"$PG_DATA/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
port = $PG_PORT
unix_socket_directories = ''
shared_buffers = ${buffers_mb}MB
max_wal_size = 8GB
checkpoint_timeout = 15min
wal_compression = on
fsync = on
synchronous_commit = on
CONF
    # Before it starts, so that an interrupted start is cleaned up too.
    PG_STARTED=yes
    postgres_run "$PG_BIN/pg_ctl" -D "$PG_DATA" -l "$PG_DATA/server.log" -w start >/dev/null
    export PGHOST=127.0.0.1 PGPORT=$PG_PORT PGUSER=rollcall PGDATABASE=postgres
    "$PG_BIN/psql" -X -qc "create database rollcall"
    export PGDATABASE=rollcall
}

stop_postgres() {
    if [ -n "${PG_STARTED:-}" ]; then
        postgres_run "$PG_BIN/pg_ctl" -D "$PG_DATA" -m immediate stop >/dev/null 2>&1 || true
    fi
}

# One value.
sql() {
    "$PG_BIN/psql" -X -q -A -t -v ON_ERROR_STOP=1 -c "$1"
}

# A file of bench/sql; further arguments are name=value.
sql_file() {
    local file=$BENCH/sql/$1 variables=()
    shift
    local variable
    for variable in "$@"; do
        variables+=(-v "$variable")
    done
    "$PG_BIN/psql" -X -q -v ON_ERROR_STOP=1 "${variables[@]}" -f "$file" >>"$LOGS/sql.log" 2>&1 \
        || fail "$file failed: see $LOGS/sql.log"
}
