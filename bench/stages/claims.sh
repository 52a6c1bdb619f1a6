# shellcheck shell=bash
# Claims of 10 by 16 agents from a long backlog: as it is, behind delayed rows of higher priority, and while an old snapshot
# is held, so that no claimed row can be cleaned away.

wrk_claims() {
    wrk_run claim.lua 16 "$1"
}

# Prints "items/s p99" for a backlog that was full before; fills it again.
claims_over_http() {
    local line
    line=$(wrk_claims "$1")
    rate_of "$line" >/dev/null
    claims_a_second "$(field seconds "$line")" "$(field p99_ms "$line")"
}

claims_in_sql() {
    claims_a_second "$1" "$(field p99_ms "$(pgbench_run claim.sql 16 "$1")")"
}

claims_a_second() {
    local claimed
    claimed=$(sql "select count(*) from lease")
    sql_file unclaim.sql
    awk -v n="$claimed" -v s="$1" -v p99="$2" 'BEGIN {print n / s, p99}'
}

stage_claims() {
    data_set backlog "$BACKLOG_ROWS"
    warm_up wrk_claims
    sql_file unclaim.sql
    claims_undisturbed
    claims_behind_delayed
    claims_under_snapshot
}

claims_undisturbed() {
    local plain=() plain_p99=() ours=() p99=() both _
    for _ in $(seq 1 "$REPEATS"); do
        both=$(claims_in_sql "$SECONDS_EACH")
        plain+=("${both% *}") plain_p99+=("${both#* }")
        both=$(claims_over_http "$SECONDS_EACH")
        ours+=("${both% *}") p99+=("${both#* }")
    done
    figure claims "claims of 10 by 16 agents, backlog of $BACKLOG_ROWS, against plain SQL" "items/s" "0.6 of it" 'ratio>=0.6' \
        "${plain[*]}" "${ours[*]}"
    figure claims "such a claim, p99" ms "100 ms" 'value<=100' "${plain_p99[*]}" "${p99[*]}"
}

claims_behind_delayed() {
    local without=() with=() both _
    for _ in $(seq 1 "$REPEATS"); do
        both=$(claims_over_http "$SECONDS_EACH")
        without+=("${both% *}")
        sql_file delay.sql rows="$DELAYED_ROWS"
        both=$(claims_over_http "$SECONDS_EACH")
        with+=("${both% *}")
        sql_file undelay.sql
    done
    figure claims "claims behind $DELAYED_ROWS delayed rows of higher priority, against claims without" "items/s" "0.8 of it" \
        'ratio>=0.8' "${without[*]}" "${with[*]}"
}

claims_under_snapshot() {
    local before after old
    before=$(claims_over_http "$SNAPSHOT_S")
    PGAPPNAME=old-snapshot "$PG_BIN/psql" -X -q -c 'begin isolation level repeatable read' -c 'select count(*) from lease' \
        -c "select pg_sleep($((SNAPSHOT_S + 30)))" >/dev/null 2>&1 &
    old=$!
    until [ "$(sql "select count(*) from pg_stat_activity where application_name = 'old-snapshot' and query like '%sleep%'")" = 1 ]; do
        sleep 0.1
    done
    after=$(claims_seen_by_snapshot)
    wait "$old" || true
    figure claims "claims over $SNAPSHOT_S s while an old snapshot is held, against such a time without" "items/s" "0.5 of it" \
        'ratio>=0.5' "${before% *}" "${after% *}"
}

# As claims_over_http, but lets go of the snapshot before the backlog is filled again.
claims_seen_by_snapshot() {
    local line
    line=$(wrk_claims "$SNAPSHOT_S")
    rate_of "$line" >/dev/null
    sql "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'old-snapshot'" >/dev/null
    claims_a_second "$(field seconds "$line")" "$(field p99_ms "$line")"
}
