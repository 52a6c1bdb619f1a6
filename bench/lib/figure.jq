# One figure from its repetitions: medians, spread, ratio, and whether the target is met.

def numbers: [splits(" +") | select(. != "") | tonumber];
def median: sort | if length % 2 == 1 then .[(length - 1) / 2] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def short: if . >= 100 then round elif . >= 1 then . * 100 | round / 100 else . * 10000 | round / 10000 end;
def summary: if length == 0 then null else {median: (median | short), min: (min | short), max: (max | short), runs: map(short)} end;
def holds($ratio; $value):
  capture("^(?<of>ratio|value)(?<op>[<>]=)(?<limit>[0-9.]+)$")
  | (if .of == "ratio" then $ratio else $value end) as $is
  | (.limit | tonumber) as $limit
  | if $is == null then false elif .op == "<=" then $is <= $limit else $is >= $limit end;

($baseline | numbers) as $base
| ($ours | numbers) as $own
| (if ($base | length) > 0 then ($own | median) / ($base | median) else null end) as $ratio
| {
    stage: $stage, what: $what, unit: $unit, target: $target,
    baseline: ($base | summary), ours: ($own | summary),
    ratio: (if $ratio then $ratio | short else null end),
    met: (if $check == "-" then null else $check | [splits(",")] | map(holds($ratio; $own | median)) | all end)
  }
| if $note == "" then . else .note = $note end
