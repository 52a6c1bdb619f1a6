# shellcheck shell=bash
# The results as JSON and as a Markdown table.

cpu_model() {
    awk -F ': *' '/^model name/ {print $2; exit}' /proc/cpuinfo | grep . || uname -m
}

about() {
    jq -n --arg date "$(date -u +%Y-%m-%dT%H:%MZ)" --arg mode "$MODE" \
        --arg commit "$(git -C "$ROOT" describe --always --dirty 2>/dev/null || echo unknown)" \
        --arg cpu "$(cpu_model)" --argjson cores "$(nproc)" --argjson memory "$(memory_mb)" \
        --arg postgres "$(sql 'show server_version')" \
        --arg java "$(java -version 2>&1 | awk -F '"' '/version/ {print $2; exit}')" \
        --arg filesystem "$(stat -f -c %T "$PG_DATA")" \
        --arg failed "${FAILED[*]}" \
        '{$date, $mode, $commit, $cpu, $cores, memoryMiB: $memory, $postgres, $java, $filesystem,
          failedStages: [$failed | splits(" ") | select(. != "")]}'
}

write_report() {
    jq -s --argjson about "$(about)" '{about: $about, figures: .}' "$FIGURES" >"$OUT/results.json"
    jq -r -f "$BENCH/lib/report.jq" "$OUT/results.json" >"$OUT/results.md"
    say "written: $OUT/results.md, $OUT/results.json"
    cat "$OUT/results.md"
}
