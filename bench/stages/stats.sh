# shellcheck shell=bash
# Statistics over many rows, while nothing else happens.

stage_stats() {
    local times=() _
    data_set mixed "$MIXED_ROWS"
    call GET /v1/stats >/dev/null
    for _ in $(seq 1 30); do
        times+=("$(product 1000 "$(call GET /v1/stats -o /dev/null -w '%{time_total}')")")
    done
    figure stats "statistics, $MIXED_ROWS rows" ms "250 ms" 'value<=250' "" "${times[*]}" "median of 30"
}
