#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# words.sh PROJECT: tools/check-words finds phrases that read as translated, across line breaks and in comments, and
# names the place; it does not flag plain English.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
failed() {
    echo "FAILED: $1" >&2
    exit 1
}

cat >"$here/good.md" <<'TEXT'
One row per figure; each machine has one column. The loop tolerates 20 ms more delay before it oscillates.
It stands for the mean. The cell outputs 0. One of the rules is a delay, once a second. At most 8 steps are done.
It may be called from several threads at once. `max_states` is the limit. Formerly `most_states`.
TEXT
"$1/tools/check-words" "$here/good.md" >"$here/said" || failed "plain English is flagged: $(cat "$here/said")"

cat >"$here/bad.h" <<'TEXT'
// A table with one row
// a figure; learning stands still
// while o is not wholly there.
int32_t most_states;
TEXT
"$1/tools/check-words" "$here/bad.h" >"$here/said" && failed "nothing is flagged"
for place in "1: 'one row a figure'" "2: 'stands still'" "3: 'wholly'" "4: 'most_states'"; do
    grep -q "bad.h:$place: write: " "$here/said" || failed "not named: $place: $(cat "$here/said")"
done
[ "$(wc -l <"$here/said")" = 4 ] || failed "more than four: $(cat "$here/said")"
