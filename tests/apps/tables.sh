#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tables.sh PROJECT: README.md and docs/benchmark.md show what bench/results holds; another result, another
# machine or a number changed by hand is noticed, and renewed.
set -eu
project=$1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
failed() {
    echo "FAILED: $*"
    exit 1
}
tables() {
    python3 "$project/bench/tables.py" --root "$here" "$@" 2>"$here/told"
}

python3 "$project/bench/tables.py" --check || failed "the tables are not those of bench/results"
mkdir -p "$here/docs" "$here/bench"
cp "$project/README.md" "$here"
cp "$project/docs/benchmark.md" "$here/docs"
cp -R "$project/bench/results" "$here/bench"
tables --check || failed "a copy is not like the project"

sed -i '0,/| [0-9][0-9.]* |/s//| 9999 |/' "$here/README.md" # by hand
tables --check && failed "a number changed by hand is not noticed"
grep -q '^README.md: its results are not those of bench/results' "$here/told" ||
    failed "it is not said which page is wrong"
tables || failed "the tables cannot be renewed"
cmp -s "$here/README.md" "$project/README.md" || failed "renewed, the README is not as before"

cat >"$here/bench/results/new.csv" <<'CSV'
# name: A new machine
# processor: one of ours
date,figure,value,goal,low,high
2026-01-01,cell_realtime,1,1000,1,1
2026-01-02,cell_realtime,123456,1000,1,2
CSV
tables --check && failed "a new machine is not noticed"
tables || failed "the tables cannot be renewed"
grep -q 'A new machine' "$here/README.md" || failed "a new machine has no column"
grep '^| 1.5 million synapses' "$here/README.md" | grep -q '| 123456 |' || failed "the last result does not count"
grep '^| cell_realtime' "$here/docs/benchmark.md" | grep -q '| 123456 (1 to 2) |' ||
    failed "the page has no spread"
grep -q '^- \*\*A new machine\*\*: processor: one of ours\.$' "$here/docs/benchmark.md" ||
    failed "the machine is not described"

sed -i '/results: to here/d' "$here/README.md"
tables && failed "without its marks a page is written"
grep -q '^README.md: the marks of its results are gone' "$here/told" || failed "lost marks are not named"
