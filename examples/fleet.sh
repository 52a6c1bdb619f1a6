#!/usr/bin/env bash
# A fleet of real processes, each the agent of one delegation, against a running Rollcall. Some finish, some fail, some are
# killed with -9, some are stopped (silent, though not dead), some never start, some work on. At the end it prints what an
# operator sees, and ends its processes. Needs bash and curl; with jq it prints the statistics indented.
#
#   examples/fleet.sh [AGENTS]
#
#   AGENTS                 how many, 14 unless stated, 28 at most
#   ROLLCALL_URL           the service, http://127.0.0.1:8080 unless stated
#   ROLLCALL_FLEET_LEASE_S how many seconds a heartbeat lasts, 6 unless stated
#   ROLLCALL_FLEET_WAIT_S  how long to wait for the verdicts at most, 90 unless stated
#   ROLLCALL_FLEET_SWEEP   "no": leaves the sweeping to the service's own ticks, instead of asking for sweeps
set -euo pipefail

url=${ROLLCALL_URL:-http://127.0.0.1:8080}
agents=${1:-14}
lease_s=${ROLLCALL_FLEET_LEASE_S:-6}
wait_s=${ROLLCALL_FLEET_WAIT_S:-90}
sweep=${ROLLCALL_FLEET_SWEEP:-yes}

caller=fleet-$$-$RANDOM
roles=(finish fail kill stop crash absent work)
ids=()
pids=()

complain() {
  echo "fleet: $1" >&2
  exit 2
}

number() {
  case $2 in
    '' | *[!0-9]* | 0*) complain "$1 must be a number from $3 to $4, not '$2'" ;;
  esac
  [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || complain "$1 must be a number from $3 to $4, not $2"
}

# post PATH BODY: silently; prints the HTTP status, 000 without an answer.
post() {
  curl -s -o /dev/null -w '%{http_code}' --max-time 10 -H 'Content-Type: application/json' -d "$2" "$url$1" || true
}

get() {
  curl -sS -f --max-time 10 "$url$1"
}

uuid() {
  if [ -r /proc/sys/kernel/random/uuid ]; then
    cat /proc/sys/kernel/random/uuid
  else
    uuidgen | tr '[:upper:]' '[:lower:]'
  fi
}

# fields: one line "agent status reason cause" for each delegation of the list on standard input.
fields() {
  awk '
    function text(json, name,    at) {
      if (!match(json, "\"" name "\":\"[^\"]*\"")) return "-"
      at = length(name) + 4
      return substr(json, RSTART + at, RLENGTH - at - 1)
    }
    {
      count = split($0, item, /\{"id":"/)
      for (i = 2; i <= count; i++) {
        print text(item[i], "agent"), text(item[i], "status"), text(item[i], "reason"), text(item[i], "cause")
      }
    }'
}

ours() {
  get "/v1/delegations?caller=$caller&limit=500&sort=createdAt" | fields
}

# How the agent ROLE of delegation ID works. It is told nothing of its fate: that comes from outside.
work() {
  local role=$1 place=/v1/delegations/$2 beats=0
  while :; do
    case $(post "$place/heartbeat" "{\"epoch\":1,\"note\":\"process $BASHPID\"}") in
      200) beats=$((beats + 1)) ;;
      404 | 409) return ;; # the lease is lost: stop
    esac
    if [ "$beats" -ge 3 ]; then
      case $role in
        finish)
          [ "$(post "$place/status" '{"status":"completed","epoch":1,"result":{"lines":42}}')" != 200 ] || return 0
          ;;
        fail)
          [ "$(post "$place/status" '{"status":"failed","epoch":1,"error":{"httpStatus":503,"message":"no answer"}}')" \
            != 200 ] || return 0
          ;;
      esac
    fi
    sleep "$beat_every_s"
  done
}

# Ends our own processes, each with its children: a stopped one hears nothing but -9.
clean_up() {
  local pid
  for pid in ${pids[@]+"${pids[@]}"}; do
    kill -9 -- "-$pid" 2>/dev/null || true
  done
}

# register ROLE NAME ID
register() {
  local terms=
  case $1 in
    crash) terms=',"recovery":"requeue","maxRequeues":0' ;;
    absent) terms=",\"deadlineIn\":\"PT$((2 * lease_s))S\"" ;;
  esac
  local status
  status=$(post /v1/delegations "{\"id\":\"$3\",\"caller\":\"$caller\",\"agent\":\"$2\",\"task\":\"$1\",\"labels\":{\"fleet-role\":\"$1\"},\"heartbeatTimeout\":\"PT${lease_s}S\"$terms}")
  [ "$status" = 201 ] || complain "the service at $url did not register a delegation (HTTP status $status)"
}

# until_none LIMIT_S PATTERN: until no line of ours matches, sweeping if wanted; fails after LIMIT_S seconds.
until_none() {
  local end=$((SECONDS + $1)) seen
  while
    seen=$(ours || echo 'not answered')
    grep -Eq "$2|^not answered$" <<<"$seen"
  do
    [ "$SECONDS" -lt "$end" ] || return 1
    [ "$sweep" = no ] || post /v1/sweeper/sweep '{}' >/dev/null
    sleep 1
  done
}

number AGENTS "$agents" 1 28
number ROLLCALL_FLEET_LEASE_S "$lease_s" 3 600
number ROLLCALL_FLEET_WAIT_S "$wait_s" 1 3600
beat_every_s=$((lease_s / 3))
get /v1/stats >/dev/null || complain "no Rollcall answers at $url; set ROLLCALL_URL"

trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

echo "== $agents agents, caller $caller, at $url"
for ((i = 0; i < agents; i++)); do
  role=${roles[i % ${#roles[@]}]}
  ids[i]=$(uuid)
  register "$role" "$role-$((i / ${#roles[@]} + 1))" "${ids[i]}"
  if [ "$role" != absent ]; then
    set -m # a process group of its own, so that its children end with it
    work "$role" "${ids[i]}" </dev/null >/dev/null 2>&1 &
    set +m
    pids[i]=$!
    disown
  fi
done

until_none 30 '^(kill|stop|crash|work)-[0-9]+ dispatched ' || complain "the agents did not begin within 30 s"
for ((i = 0; i < agents; i++)); do
  case ${roles[i % ${#roles[@]}]} in
    kill | crash) kill -9 -- "-${pids[i]}" && echo "killed -9     ${ids[i]} (process ${pids[i]})" ;;
    stop) kill -STOP -- "-${pids[i]}" && echo "stopped       ${ids[i]} (process ${pids[i]})" ;;
    absent) echo "never started ${ids[i]}" ;;
  esac
done

echo "== waiting for the verdicts, $wait_s s at most"
settled=yes
until_none "$wait_s" '^(finish|fail|kill|stop|crash|absent)-[0-9]+ (queued|dispatched|in_progress) ' || settled=no

echo "== what an operator sees"
{
  echo "AGENT STATUS REASON CAUSE"
  ours | sort
} | awk '{ printf "%-12s %-12s %-20s %s\n", $1, $2, $3, $4 }'

echo "== all of the ledger, by status"
if command -v jq >/dev/null 2>&1; then
  get /v1/stats | jq .byStatus
else
  get /v1/stats
  echo
fi
echo "== more"
echo "curl '$url/v1/delegations?caller=$caller&status=stuck,failed'"
echo "curl '$url/v1/delegations/${ids[0]}/events'"

# Those that work on are called off: nobody will beat for them any more.
for ((i = 0; i < agents; i++)); do
  if [ "${roles[i % ${#roles[@]}]}" = work ]; then
    post "/v1/delegations/${ids[i]}/status" '{"status":"cancelled","note":"fleet.sh is over"}' >/dev/null
  fi
done
[ "$settled" = yes ] || complain "not all verdicts came within $wait_s s"
