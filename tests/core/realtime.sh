#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# realtime.sh SOURCE PROGRAM...: the example learns, in fewer than 300 lines, and survives that its plant
# is stopped, killed, replaced and started again. A loaded machine may lose the plant more often, and
# miss deadlines: nothing here depends on it.
set -eu
source=$1
shift
[ "$(wc -l <"$source")" -lt 300 ]
name=cfpc-test-$$
here=$(mktemp -d)
controller='' plant='' stopped=''
trap 'kill -s KILL $controller $plant $stopped 2>/dev/null || true; rm -rf "$here"' EXIT

fail() {
    echo "$1; the controller said:"
    cat "$here/said" "$here/told"
    exit 1
}

count() { # count PATTERN
    grep -c "$1" "$here/said" || true
}

wait_until() { # wait_until COMMAND...: while the controller runs
    until "$@"; do
        kill -s 0 "$controller" 2>/dev/null || fail "it ended before: $*"
        sleep 0.05
    done
}

more() { # more PATTERN COUNT
    [ "$(count "$1")" -gt "$2" ]
}

trials_since_it_answered() { # trials_since_it_answered LEAST
    [ "$(awk '/the plant answers/ { n = 0 } /^trial/ { n++ } END { print n + 0 }' "$here/said")" -ge "$1" ]
}

start_plant() {
    "$@" --plant --seconds 120 --name "$name" &
    plant=$!
}

loses_plant_by() { # loses_plant_by SIGNAL
    lost=$(count 'no answer')
    answered=$(count 'the plant answers')
    kill -s "$1" "$plant"
    wait_until more 'no answer' "$lost"
}

goes_on() { # the first trial fades in; those after it have what was learned
    wait_until more 'the plant answers' "$answered"
    wait_until trials_since_it_answered 2
}

: >"$here/said"
"$@" --seconds 120 --name "$name" >"$here/said" 2>"$here/told" &
controller=$!
start_plant "$@"
wait_until grep -q '^trial  1[0-9]' "$here/said"

loses_plant_by STOP
kill -s CONT "$plant"
goes_on

loses_plant_by KILL
start_plant "$@"
goes_on

loses_plant_by STOP
stopped=$plant
start_plant "$@" # in place of the one that is stopped
goes_on

kill -s INT "$controller"
wait "$controller" || fail "it did not end well"
wait "$plant" || fail "the plant did not end with the controller"

awk '/the plant answers/ { n = 0 }
     /^trial/ { n++; if ($2 == 1) first = $5; if ($2 > 10 && n > 1) { checked++; bad += $5 > first / 2 } }
     / trials: rms error first/ { last = $8 + 0 }
     END { exit !(first > 0.3 && checked >= 3 && bad == 0 && last > 0 && last < first / 2) }' "$here/said" ||
    fail "what was learned was lost"
awk '/^plant: lost/ { lost = $3 } END { exit !(lost >= 3) }' "$here/said" || fail "losses were not counted"
grep -q '^deadlines: [0-9]* missed, largest lateness [0-9.]* ms$' "$here/said" || fail "no deadlines"
awk '/ us .* ticks$/ { bins++; ticks += $4 } END { exit !(bins == 9 && ticks > 4000) }' "$here/said" ||
    fail "no histogram"
