# shellcheck shell=bash
# The operators' list of what is stuck or failed, 50 to a page: the first one, and one behind 150 others.

list_path='/v1/delegations?status=stuck,failed'

# Walks $1 pages; prints the cursor of the next.
walk() {
    local cursor='' page
    for page in $(seq 1 "$1"); do
        cursor=$(call GET "$list_path${cursor:+&cursor=$cursor}" | jq -r '.nextCursor // empty | @uri')
        [ -n "$cursor" ] || fail "the list ended after $page pages"
    done
    echo "$cursor"
}

list() {
    wrk_run get.lua 4 "$2" BENCH_PATH="$1"
}

list_p99() {
    local line
    line=$(list "$1" "$SECONDS_EACH")
    rate_of "$line" >/dev/null
    field p99_ms "$line"
}

stage_lists() {
    local first=() deep=() deep_path _
    data_set mixed "$MIXED_ROWS"
    deep_path="$list_path&cursor=$(walk "$DEEP_PAGE")"
    warm_up list "$deep_path"
    for _ in $(seq 1 "$REPEATS"); do
        first+=("$(list_p99 "$list_path")")
        deep+=("$(list_p99 "$deep_path")")
    done
    figure lists "list of stuck and failed, $MIXED_ROWS rows, first page, 4 callers, p99" ms "50 ms" 'value<=50' "" "${first[*]}"
    figure lists "the same, page $((DEEP_PAGE + 1)), p99" ms "50 ms" 'value<=50' "" "${deep[*]}"
}
