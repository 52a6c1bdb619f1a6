# shellcheck shell=bash
# What beats leave in the database: whether their updates stay within the page, the log that they write, the size of the
# table; under single beats at full speed and bulk ones beside them.

lease_mb() {
    sql "select round(pg_table_size('lease') / 1048576.0, 3)"
}

stage_hot() {
    local updates hot wal sizes=() at beats
    data_set live "$LIVE_ROWS"
    data_spoilt
    sql checkpoint
    read -r updates hot wal < <(sql "select n_tup_upd, n_tup_hot_upd, pg_current_wal_insert_lsn() - '0/0'
        from pg_stat_user_tables where relname = 'lease'" | tr '|' ' ')
    begin_wrk hot-single heartbeat.lua 32 "$HOT_S" BENCH_ROWS="$LIVE_ROWS"
    begin_wrk hot-bulk bulk.lua 2 "$HOT_S" BENCH_ROWS="$LIVE_ROWS" BENCH_ITEMS=500 BENCH_RATE=20
    for ((at = HOT_EVERY_S; at <= HOT_S; at += HOT_EVERY_S)); do
        sleep "$HOT_EVERY_S"
        sizes+=("$(lease_mb)")
    done
    await_wrk hot-single
    await_wrk hot-bulk
    rate_of "$(wrk_result hot-single)" >/dev/null
    rate_of "$(wrk_result hot-bulk)" >/dev/null
    beats=$(($(field requests "$(wrk_result hot-single)") + 500 * $(field requests "$(wrk_result hot-bulk)")))
    figure hot "heap-only updates of leases" % "95 %" 'value>=95' "" "$(sql "
        select round(100.0 * (n_tup_hot_upd - $hot) / nullif(n_tup_upd - $updates, 0), 3)
        from pg_stat_user_tables where relname = 'lease'")" "$beats beats in $HOT_S s"
    figure hot "WAL a beat" B "200 B" 'value<=200' "" \
        "$(sql "select (pg_current_wal_insert_lsn() - '0/0' - $wal) / $beats")"
    figure hot "lease table, every $HOT_EVERY_S s, against the first such time" MiB "no growth" 'ratio<=1' \
        "${sizes[0]}" "${sizes[*]:1}"
}
