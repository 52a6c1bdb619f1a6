# shellcheck shell=bash
# Registrations: single ones by 16 callers, batches of 1,000 by 4; into a ledger that is not empty.

# registered_over_http CALLERS ITEMS SECONDS: prints the line of wrk.
registered_over_http() {
    wrk_run register.lua "$1" "$3" BENCH_ITEMS="$2"
}

registered_in_sql() {
    product "$2" "$(field rate "$(pgbench_run register.sql "$1" "$SECONDS_EACH" items="$2")")"
}

# registrations 'what' CALLERS ITEMS
registrations() {
    local plain=() ours=() p99=() line _
    warm_up registered_over_http "$2" "$3"
    for _ in $(seq 1 "$REPEATS"); do
        sql checkpoint
        plain+=("$(registered_in_sql "$2" "$3")")
        line=$(registered_over_http "$2" "$3" "$SECONDS_EACH")
        ours+=("$(product "$3" "$(rate_of "$line")")")
        p99+=("$(field p99_ms "$line")")
    done
    figure register "$1, against the same rows inserted by pgbench" "/s" "" - "${plain[*]}" "${ours[*]}"
    figure register "$1, p99" ms "" - "" "${p99[*]}"
}

stage_register() {
    data_set backlog "$BACKLOG_ROWS"
    data_spoilt
    registrations "registrations one by one by 16 callers" 16 1
    registrations "registrations in batches of 1,000 by 4 callers" 4 1000
}
