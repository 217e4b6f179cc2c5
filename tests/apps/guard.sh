# SPDX-License-Identifier: Apache-2.0
# The guard as a user meets it: on the terminal, in summary.json, by --set, and by cfpc show.
. "$(dirname "$0")/lib.sh"

# ---- it acts ----------------------------------------------------------------------------------

cfpc run pursuit --set guard=on --set claims=[] --out on --no-figures
succeeds
says '  guard: wh, trial 20: the mean error was above that of the loop alone; best weights restored, learning stopped'
check "one line for the one rule" [ "$(grep -c 'guard:' said)" -eq 1 ]
check "the summary names it" grep -q \
    '{"rule": "wh", "phase": 1, "trial": 20, "times": 1, "reason": "the mean error was above' on/summary.json
check "and says that it is on" grep -q '"guard": {"on": true, "acted": \[$' on/summary.json
check "no trial of WH is above the factor" awk -F, 'NR > 1 && $3 > 1.5 { exit 1 }' on/curves.csv
check "it ends at its best" awk -F, 'NR > 1 && (NR == 2 || $3 < best) { best = $3 }
    { last = $3 } END { exit (last - best) ^ 2 > 1e-18 }' on/curves.csv

# The last trial is judged, too.
cfpc run pursuit --set guard=on --set claims=[] --trials 20 --out last --no-figures
says '  guard: wh, trial 20: the mean error was above that of the loop alone; best weights restored, learning stopped'
check "and its weights are the best" [ "$(cut -d, -f3 last/weights.csv)" = "$(cut -d, -f3 on/weights.csv)" ]

cfpc run pursuit --set "guard={resume: 0.1}" --set claims=[] --out slower --no-figures
succeeds
says '; best weights restored, learning continues at a lower rate'

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
cfpc run pursuit --set learning.rate_fraction=1e9 --set guard=on --set claims=[] --set learning.trials=8 \
    --out huge --no-figures
succeeds
says '  guard: fm-et, trial 2: the error of one trial was too large; weights reset to 0'
check "it ends as the loop alone" awk -F, 'NR > 3 && ($2 - 1) ^ 2 > 1e-18 { exit 1 }' huge/curves.csv

# ---- shown and refused ------------------------------------------------------------------------

cfpc show pursuit
succeeds
check "it is shown with its values" sh -c "sed -n '/^guard:/,/^[a-z]*:\$/p' said | grep -q '^  on: no '"
check "each with its meaning" grep -q '^  factor: 1.5  *# it acts when the rms error of one trial' said
cfpc show pursuit --set "guard={factor: 3}"
check "as it was set" sh -c "grep -q '^  on: yes ' said && grep -q '^  factor: 3 ' said"
cfpc run pursuit --set guard=maybe --out bad
refuses 2 "must be yes or no; this is 'maybe'"
cfpc run pursuit --set "guard={factor: 0.5}" --out bad
refuses 2 "'factor' must be at least 1; this is 0.5"
check "nothing bad was left" [ ! -e bad ]
finish
