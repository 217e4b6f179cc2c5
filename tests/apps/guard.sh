# SPDX-License-Identifier: Apache-2.0
# The guard as a user meets it: on the terminal, in summary.json, by --set, and by cfpc show.
. "$(dirname "$0")/lib.sh"

# ---- it acts ----------------------------------------------------------------------------------

worse='the loop was worse with the cell than without it'
cfpc run pursuit --set guard=on --set claims=[] --out on --no-figures
succeeds
says "  guard: wh, trial 20: $worse (rms error 0.1122 against 0.1024); best weights restored, learning continues at a lower rate"
check "one line for the one rule" [ "$(grep -c 'guard:' said)" -eq 1 ]
check "the summary names it" grep -q '{"rule": "wh", "phase": 1, "pauses": 1, "times": 1, "acts": \[{"trial": 20, "reason": "'"$worse"'", "with_cell": 0.1121[0-9]*, "alone": 0.1023[0-9]*, "world_changed": false, "weights": "best", "frozen": false}\]}' on/summary.json
check "and says that it is on" grep -q '"guard": {"on": true, "acted": \[$' on/summary.json
check "no trial of WH is above the factor" awk -F, 'NR > 1 && $3 > 1.5 { exit 1 }' on/curves.csv
check "it goes on from its best" awk -F, 'NR > 1 && (NR == 2 || $3 < best) { best = $3 }
    $1 == 21 { next_one = $3 } END { exit (next_one - best) ^ 2 > 1e-18 }' on/curves.csv

# The last trial is judged, too, and the trial after it would have been that of the loop alone.
cfpc run pursuit --set guard=on --set claims=[] --trials 19 --out last --no-figures
check "a pause is no act" [ "$(grep -c 'guard:' said)" -eq 0 ]
check "but it is there" grep -q '{"rule": "wh", "phase": 1, "pauses": 1, "times": 0, "acts": \[\]}' last/summary.json

cfpc run pursuit --set "guard={resume: 0}" --set claims=[] --out still --no-figures
succeeds
says "  guard: wh, trial 20: $worse (rms error 0.1122 against 0.1024); best weights restored, learning stopped"
check "it ends at its best" awk -F, 'NR > 1 && (NR == 2 || $3 < best) { best = $3 }
    { last = $3 } END { exit (last - best) ^ 2 > 1e-18 }' still/curves.csv

# ---- it does not ------------------------------------------------------------------------------

cfpc run pursuit --out off --no-figures
succeeds
check "not a word of it" [ "$(grep -c 'guard' said)" -eq 0 ]
check "off in the summary" grep -q '"guard": {"on": false, "acted": \[\]},' off/summary.json
check "WH diverges" awk -F, 'END { exit $3 < 10 }' off/curves.csv
for column in 2 4 5 6; do
    cut -d, -f "$column" on/curves.csv >with
    cut -d, -f "$column" off/curves.csv >without
    check "column $column is the same with it" same with without
done

# A rule whose numbers overflow is stopped, not reported as broken.
cfpc run pursuit --set learning.rate_fraction=1e9 --set guard=on --set claims=[] --set learning.trials=20 \
    --out huge --no-figures
succeeds
says '; weights reset to 0, learning stopped'
check "it ends as the loop alone" awk -F, 'END { exit ($2 - 1) ^ 2 > 1e-18 }' huge/curves.csv

# ---- shown and refused ------------------------------------------------------------------------

cfpc show pursuit
succeeds
check "it is shown with its values" sh -c "sed -n '/^guard:/,/^[a-z]*:\$/p' said | grep -q '^  on: no '"
check "each with its meaning" grep -q '^  factor: 1.5  *# one trial with an rms error of this many times' said
cfpc show pursuit --set "guard={factor: 3}"
check "as it was set" sh -c "grep -q '^  on: yes ' said && grep -q '^  factor: 3 ' said"
cfpc run pursuit --set guard=maybe --out bad
refuses 2 "must be yes or no; this is 'maybe'"
cfpc run pursuit --set "guard={factor: 0.5}" --out bad
refuses 2 "'factor' must be at least 1; this is 0.5"
check "nothing bad was left" [ ! -e bad ]
finish
