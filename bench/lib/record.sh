# shellcheck shell=bash
# Figures: gathered as lines of JSON, then written as a table.

FIGURES=$OUT/figures.jsonl

# figure STAGE 'what' 'unit' 'target' CHECK BASELINE OURS ['note']: numbers are separated by blanks, one a repetition.
# CHECK: `ratio>=0.5`, `value<=250`, several separated by commas, or `-`.
figure() {
    jq -nc --arg stage "$1" --arg what "$2" --arg unit "$3" --arg target "$4" --arg check "$5" \
        --arg baseline "$6" --arg ours "$7" --arg note "${8:-}" -f "$BENCH/lib/figure.jq" | tee -a "$FIGURES" \
        | jq -r '"          \(.what): \(.ours.median) \(.unit)\(if .ratio then ", \(.ratio) of the baseline" else "" end)"' >&2
}
