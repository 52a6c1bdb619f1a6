# The Markdown table of results.json.

def number: if . >= 1000 then tostring | [match("^(\\d+?)((?:\\d{3})*)(\\.\\d+)?$").captures[].string // ""]
    | .[0] + (.[1] | gsub("(?<group>\\d{3})"; ",\(.group)")) + .[2] else tostring end;
def spread: if . == null then "" elif .min == .max then .median | number
    else "\(.median | number) (\(.min | number)–\(.max | number))" end;

"\(.about.date), \(.about.mode) mode, commit \(.about.commit). \(.about.cores) cores (\(.about.cpu)), \(.about.memoryMiB) MiB; PostgreSQL \(.about.postgres) on \(.about.filesystem), Java \(.about.java). Medians (lowest–highest of the repetitions).",
(if .about.mode == "short" then "", "Short: too little data and too cold a JVM to compare anything." else empty end),
(.about.failedStages | if . == [] then empty else "", "**Failed stages: \(join(", "))**" end),
"",
"| what | unit | at least | baseline | ours | ratio | met |",
"| --- | --- | --- | --- | --- | --- | --- |",
(.figures[] | "| \(.what)\(if .note then " (" + .note + ")" else "" end) | \(.unit) | \(.target) | \(.baseline | spread) | \(.ours | spread) | \(.ratio // "") | \(if .met == null then "" elif .met then "yes" else "**no**" end) |")
