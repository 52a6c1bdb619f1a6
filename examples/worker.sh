#!/usr/bin/env bash
# An agent for one queue: claims a delegation, runs a command for it, beats meanwhile, and reports how it went; then the next
# one. Start it several times for more at once. Needs bash, curl and awk.
#
#   examples/worker.sh -q QUEUE [-a AGENT] [-u URL] [-n MAX] [-w SECONDS] [--] COMMAND [ARGUMENT...]
#
#   -q  the queue
#   -a  the name of this agent; the name of this machine unless stated
#   -u  the service; $ROLLCALL_URL or http://127.0.0.1:8080 unless stated
#   -n  how many delegations to take before it exits; 0, unless stated: for ever
#   -w  how many seconds a claim waits for work, 0 to 30; 20 unless stated
#
# The command gets the payload (JSON) on its standard input, and in its environment ROLLCALL_ID, ROLLCALL_EPOCH,
# ROLLCALL_QUEUE, ROLLCALL_AGENT, ROLLCALL_URL and ROLLCALL_DELEGATION, a file with the whole delegation as it was claimed
# (task, labels, what the previous attempt left). What it answers:
#
#   exit code 0   completed; the end of its standard output is the result
#   75            failed for now: to be tried again later, within the budget
#   77, 78        failed: not permitted; wrongly configured
#   any other     failed
#
# It is sent TERM, and KILL a few seconds later, when the delegation is to be cancelled, when its lease is lost (then nothing is
# reported: somebody else decides about this work now), and when this worker is told to end by TERM or INT: it then puts the
# work back into the queue.
set -uo pipefail

queue= agent=$(uname -n) url=${ROLLCALL_URL:-http://127.0.0.1:8080} max=0 wait_s=20
grace_s=5     # from TERM to KILL
patience_s=20 # how long to go on about a report once told to end

usage() {
  sed -n 's/^#   \(examples.*\)/usage: \1/p' "$0" >&2
  exit 2
}

complain() {
  echo "worker: $1" >&2
  exit 2
}

log() {
  echo "worker: $1" >&2
}

uuid() {
  if [ -r /proc/sys/kernel/random/uuid ]; then
    cat /proc/sys/kernel/random/uuid
  else
    uuidgen | tr '[:upper:]' '[:lower:]'
  fi
}

# value NAME...: the value at that place of the JSON on standard input, as it is written there; of arrays the NAME is a number.
value() {
  LC_ALL=C awk -v path="$*" '
    function skip() { while (at <= size && index(" \t\r\n", substr(json, at, 1))) at++ }
    function text(    from, c) {
      from = ++at
      while ((c = substr(json, at, 1)) != "\"") {
        if (c == "") exit 1
        at += c == "\\" ? 2 : 1
      }
      return substr(json, from, at++ - from)
    }
    function value(depth, wanted,    from, open, c, name, count) {
      skip()
      from = at
      open = substr(json, at, 1)
      if (open == "\"") {
        text()
      } else if (open == "{" || open == "[") {
        at++
        count = 0
        for (skip(); (c = substr(json, at, 1)) != "}" && c != "]"; skip()) {
          if (c == "") exit 1
          if (c == ",") { at++; continue }
          if (open == "{") { name = text(); skip(); at++ } else name = count++
          value(depth + 1, wanted && (name "") == names[depth + 1])
        }
        at++
      } else {
        while (at <= size && !index(",]} \t\r\n", substr(json, at, 1))) at++
      }
      if (wanted && depth == depth_of_path) {
        print substr(json, from, at - from)
        exit 0
      }
    }
    { json = json $0 "\n" }
    END {
      depth_of_path = split(path, names, " ")
      size = length(json)
      at = 1
      value(0, 1)
      exit 1
    }'
}

# word NAME...: likewise, without the quotes.
word() {
  value "$@" | tr -d '"'
}

# seconds DURATION: of an ISO-8601 duration like PT1M6.5S.
seconds() {
  awk -v rest="${1#PT}" 'BEGIN {
    unit["H"] = 3600; unit["M"] = 60; unit["S"] = 1
    while (match(rest, /^[0-9.]+[HMS]/)) {
      sum += substr(rest, 1, RLENGTH - 1) * unit[substr(rest, RLENGTH, 1)]
      rest = substr(rest, RLENGTH + 1)
    }
    print (sum > 0 ? sum : 1)
  }'
}

# quoted FILE BYTES: the end of a file as a JSON string, without what JSON, UTF-8 or the service would refuse.
quoted() {
  tail -c "$2" "$1" | tr -d '\000-\010\013-\037\177' |
    if command -v iconv >/dev/null 2>&1; then iconv -c -f UTF-8 -t UTF-8; else LC_ALL=C tr -d '\200-\377'; fi |
    awk 'BEGIN { printf "\"" }
      { gsub(/[\\"]/, "\\\\&"); gsub(/\t/, "\\t"); printf "%s%s", (NR == 1 ? "" : "\\n"), $0 }
      END { printf "\"" }'
}

# await PID: its exit code, however often a signal interrupts the wait.
await() {
  local code
  while
    wait "$1" 2>/dev/null
    code=$?
    [ "$code" -gt 128 ] && kill -0 "$1" 2>/dev/null
  do :; done
  return "$code"
}

# call NAME PATH LIMIT_S: posts the file NAME.body, leaves NAME.answer, sets status; 000 is no answer, or half of one.
call() {
  curl -s -o "$dir/$1.answer" -D "$dir/$1.headers" -w '%{http_code}' --connect-timeout 5 --max-time "$3" \
    -H 'Content-Type: application/json' --data-binary "@$dir/$1.body" "$url$2" >"$dir/$1.status" &
  [ "$1" != claim ] || breakable=$!
  if await $!; then status=$(cat "$dir/$1.status"); else status=000; fi
  breakable=
}

# nap SECONDS: which the end of this worker cuts short.
nap() {
  sleep "$1" &
  breakable=$!
  await $!
  breakable=
}

# back_off NAME TRY: a pause, longer with each try, and as long as the service asked for.
back_off() {
  local asked pause_s=$((1 << ($2 < 4 ? $2 : 4)))
  asked=$(awk 'tolower($1) == "retry-after:" { print int($2) }' "$dir/$1.headers" 2>/dev/null)
  [ "${asked:-0}" -le "$pause_s" ] || pause_s=$asked
  [ -z "$stopping" ] || pause_s=1
  nap "$(printf '%d.%03d' "$pause_s" $((RANDOM % 1000)))"
}

# end_command: the command and what it started.
end_command() {
  local tenths=0
  kill -TERM -- "-$command" 2>/dev/null
  while [ "$tenths" -lt $((grace_s * 10)) ] && kill -0 -- "-$command" 2>/dev/null; do
    sleep 0.1
    tenths=$((tenths + 1))
  done
  kill -KILL -- "-$command" 2>/dev/null
}

# decide WORD: why the command has to end; only the first reason counts, and none once it has ended.
decide() {
  [ -e "$dir/ended" ] || [ -e "$dir/verdict" ] || {
    echo "$1" >"$dir/verdict"
    end_command
  }
}

# beat: until it is killed, or the lease is lost. No answer, or one that promises better times, says nothing about the lease.
beat() {
  local every_s=$1 try=0
  stopping=
  echo "{\"epoch\":$epoch}" >"$dir/beat.body"
  while :; do
    call beat "/v1/delegations/$id/heartbeat" 10
    case $status in
      200)
        try=0
        every_s=$(seconds "$(word heartbeatEvery <"$dir/beat.answer")")
        [ "$(word directive <"$dir/beat.answer")" != cancel ] || decide cancel
        nap "$every_s"
        ;;
      404 | 409)
        decide lost
        return
        ;;
      *)
        [ "$try" -gt 0 ] || log "$id: a heartbeat was answered with $status; trying again"
        back_off beat "$try"
        try=$((try + 1))
        ;;
    esac
  done
}

# report BODY: until it is answered; the same report again is the same, so an answer that was lost does no harm.
report() {
  local try=0
  printf '%s' "$1" >"$dir/report.body"
  while :; do
    call report "/v1/delegations/$id/status" 10
    case $status in
      200)
        log "$id: reported, now $(word status <"$dir/report.answer")"
        return
        ;;
      000 | 429 | 5??)
        if [ -n "$stopping" ] && [ "$SECONDS" -ge "$stop_by" ]; then
          log "$id: the report was not answered"
          return
        fi
        back_off report "$try"
        try=$((try + 1))
        ;;
      *)
        log "$id: the report was refused ($status): $(cat "$dir/report.answer")"
        return
        ;;
    esac
  done
}

failure() {
  local class=unknown retryable=
  case $1 in
    75) retryable=',"retryable":true' ;;
    77) class=auth ;;
    78) class=configuration ;;
  esac
  {
    echo "exit code $1"
    tail -c 1000 "$dir/stderr"
  } >"$dir/message"
  echo "{\"status\":\"failed\",\"epoch\":$epoch," \
    "\"error\":{\"class\":\"$class\",\"message\":$(quoted "$dir/message" 2000)$retryable}}"
}

# work COMMAND...: on what was claimed.
work() {
  local beater code result='' verdict
  log "$id: begun, epoch $epoch"
  rm -f "$dir/ended" "$dir/verdict"
  value items 0 <"$dir/claim.answer" >"$dir/delegation"
  value payload <"$dir/delegation" >"$dir/payload"
  set -m # process groups of their own, so that children end with them
  ROLLCALL_ID=$id ROLLCALL_EPOCH=$epoch ROLLCALL_QUEUE=$queue ROLLCALL_AGENT=$agent ROLLCALL_URL=$url \
    ROLLCALL_DELEGATION=$dir/delegation "$@" <"$dir/payload" >"$dir/stdout" 2>"$dir/stderr" &
  command=$!
  beat 1 </dev/null &
  beater=$!
  disown "$beater"
  set +m
  [ -z "$stopping" ] || decide stop & # told to end a moment ago
  await "$command"
  code=$?
  [ -e "$dir/verdict" ] && end_command # what is left of its group
  : >"$dir/ended"
  command=
  cat "$dir/stderr" >&2
  [ ! -s "$dir/stdout" ] || result=",\"result\":{\"output\":$(quoted "$dir/stdout" 10000)}"
  verdict=$(cat "$dir/verdict" 2>/dev/null)
  case $verdict in
    lost) log "$id: the lease is lost, the command was ended" ;;
    cancel) report "{\"status\":\"cancelled\",\"epoch\":$epoch$result,\"note\":\"stopped as asked\"}" ;;
    stop) release ;;
    *)
      if [ "$code" -eq 0 ]; then
        report "{\"status\":\"completed\",\"epoch\":$epoch$result}"
      else
        report "$(failure "$code")"
      fi
      ;;
  esac
  kill -KILL -- "-$beater" 2>/dev/null
}

release() {
  report "{\"status\":\"queued\",\"epoch\":$epoch,\"note\":\"the worker was told to end\"}"
}

# claim: sets id and epoch; fails where there is no work. The same request is repeated until it is answered, and so gets what an
# answer that was lost had brought.
claim() {
  local try=0 begun=$SECONDS body
  body="\"agent\":\"$agent\",\"instance\":\"$instance\",\"requestId\":\"$(uuid)\""
  while :; do
    # Told to end in the middle of a claim, it asks once more, without waiting: what it was given meanwhile it gives back.
    echo "{$body,\"waitS\":$([ -n "$stopping" ] && echo 0 || echo "$wait_s")}" >"$dir/claim.body"
    call claim "/v1/queues/$queue/claim" $((wait_s + 10))
    case $status in
      200) break ;;
      000 | 429 | 5??)
        if [ -n "$stopping" ]; then
          [ "$SECONDS" -lt "$stop_by" ] || return 1
        elif [ "$try" -eq 0 ]; then
          log "a claim was answered with $status; trying again"
        fi
        back_off claim "$try"
        try=$((try + 1))
        ;;
      *) complain "the claim was refused ($status): $(cat "$dir/claim.answer")" ;;
    esac
  done
  id=$(word items 0 id <"$dir/claim.answer")
  epoch=$(word items 0 lease epoch <"$dir/claim.answer")
  [ -z "$id" ] || return 0
  if [ -z "$stopping" ] && [ $((SECONDS - begun)) -lt $((wait_s > 0 ? wait_s : 1)) ]; then
    nap 1 # sent home early: the service is about to end
  fi
  return 1
}

# stop: at the next signal that says so. What is running is ended by a process of its own, so that this one can wait for it.
stop() {
  [ -z "$stopping" ] || return
  stopping=yes
  stop_by=$((SECONDS + patience_s))
  log "told to end"
  [ -z "$breakable" ] || kill "$breakable" 2>/dev/null
  [ -z "$command" ] || decide stop &
}

while getopts q:a:u:n:w: option; do
  case $option in
    q) queue=$OPTARG ;;
    a) agent=$OPTARG ;;
    u) url=${OPTARG%/} ;;
    n) max=$OPTARG ;;
    w) wait_s=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
for name in "$queue" "$agent"; do
  case $name in
    '' | *[!A-Za-z0-9._:@-]*) complain "not a name of letters, digits and ._:@-: '$name'" ;;
  esac
done
for number in "$max" "$wait_s"; do
  case $number in
    '' | *[!0-9]*) complain "not a number: '$number'" ;;
  esac
done
[ "$wait_s" -le 30 ] || complain "a claim waits 30 s at most"

dir=$(mktemp -d) || exit 2
instance=$(uuid)
stopping= breakable= command= stop_by=0 status=000 id= epoch=
trap 'rm -rf "$dir"' EXIT
trap stop TERM INT

taken=0
while [ -z "$stopping" ] && { [ "$max" -eq 0 ] || [ "$taken" -lt "$max" ]; }; do
  claim || continue
  if [ -n "$stopping" ]; then
    release
  else
    taken=$((taken + 1))
    work "$@"
  fi
done
exit 0
