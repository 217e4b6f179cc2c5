# SPDX-License-Identifier: Apache-2.0
# A rule whose numbers overflow says so everywhere, and nothing of it looks like a result.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

figure_of() { # figure_of FOLDER RULE KEY: as it stands in the summary
    awk -v rule="    \"$2\": {" -v key="      \"$3\": " '$0 == rule { open = 1 }
        open && index($0, key) == 1 { sub(/,$/, ""); print substr($0, length(key) + 1); exit }' \
        "$1/summary.json"
}

# From this row on a column holds nan alone, before it numbers alone.
is_nan_from() { # is_nan_from FILE COLUMN ROW
    awk -F, -v column="$2" -v row="$3" 'NR > 1 && ($column == "nan") != (NR > row) { exit 1 }
        NR > 1 && $column ~ /inf/ { exit 1 }' "$1"
}

# ---- in batch, computed -----------------------------------------------------------------------

cfpc run short.yaml --learning-rate 1e300 --trials 20 --out computed
ends 1
tells 'rule fm-et diverged at trial 2'
says '  fm-et diverged at trial 2: its numbers overflowed'
check "the table has no figure of it" grep -q '^  fm-et  *diverged  *diverged  *diverged$' said
check "nor have the curves" is_nan_from computed/curves.csv 2 2
for column in 4 6 7; do
    check "column $column of its signals is empty" is_nan_from computed/signals.csv $column 1
done
check "the reactive loop is there" awk -F, 'NR > 1 && ($3 == "nan" || $5 == "nan") { exit 1 }' \
    computed/signals.csv
check "it has no weights" is_nan_from computed/weights.csv 2 1
for rule in fm-et wh wh+50ms wh+70ms; do
    check "$rule: the summary says so" [ "$(figure_of computed $rule diverged_at_trial)" = 2 ]
    check "$rule: and has no error of it" [ "$(figure_of computed $rule rrmse_last)" = null ]
    check "$rule: nor a largest one" [ "$(figure_of computed $rule peak_error_last)" = null ]
done
[ ! -e computed/result.h5 ] || check "result.h5 says so" grep -qa diverged_at_trial computed/result.h5
check "the figures say so" grep -q 'wh (diverged at trial 2)' computed/fig-learning.gp
check "those of the signals, too" grep -q 'y\[20\] (diverged at trial 2)' computed/fig-behaviour.gp
for trials in 2 5; do
    cfpc run short.yaml --learning-rate 1e300 --trials $trials --out "of-$trials" --quiet --no-figures
    ends 1
    tells 'rule fm-et diverged at trial 2'
done

sed 's/trace: forward-model/trace: none/' short.yaml >none.yaml
cfpc run none.yaml --set learning.rate=1 --trials 500 --out none --quiet --no-figures
ends 1
at=$(figure_of none fm-et diverged_at_trial)
tells "rule fm-et diverged at trial $at"
check "its curve ends where it says" is_nan_from none/curves.csv 2 "$at"

# ---- on the loop ------------------------------------------------------------------------------

cfpc run short.yaml --online --learning-rate 5 --trials 60 --out online --quiet --no-figures
ends 1
at=$(figure_of online fm-et diverged_at_trial)
check "it diverges after the first trial" [ "$at" -gt 1 ]
check "it does not come back to 1" is_nan_from online/curves.csv 2 "$at"
check "no signals of the reactive loop" is_nan_from online/signals.csv 4 1
cfpc run short.yaml --online --learning-rate 5 --trials 60 --set guard=on --out guarded --quiet \
    --no-figures
succeeds
check "a guard puts it right" [ "$(figure_of guarded fm-et diverged_at_trial)" = null ]
check "and has an error at last" [ "$(figure_of guarded fm-et rrmse_last)" != null ]

# A phase that it does not reach.
phases='phases=[{name: a, trials: 60}, {name: b, trials: 2, set: {learning.frozen: yes}}]'
cfpc run short.yaml --online --learning-rate 5 --set "$phases" --repeat 2 --out phases --quiet
ends 1
tells "rule fm-et diverged at trial $at"
check "a later phase has no signals of it" is_nan_from phases/phase-b.csv 4 1
check "but those of the loop alone" awk -F, 'NR > 1 && $8 == "nan" { exit 1 }' phases/phase-b.csv

# ---- rules that do well, and claims -----------------------------------------------------------

cfpc run short.yaml --set rules.wh.rate=1e300 --out beside --no-figures
ends 1
tells 'rule wh diverged at trial 2'
check "the others have their results" [ "$(figure_of beside fm-et diverged_at_trial)" = null ]
check "with signals" awk -F, '/nan/ { exit 1 }' beside/signals.csv
{
    sed 's/name: wh, trace: none/name: wh, trace: none, rate: 1e300/' short.yaml
    echo 'claims: [{name: a, says: it overflows, measure: rules.wh.diverged_at_trial, low: 2, high: 3}]'
} >claimed.yaml
cfpc run claimed.yaml --out claimed --no-figures
succeeds
says '  wh diverged at trial 2'
says '1 of 1 claims hold'
cfpc run "$pursuit" --out pursuit --quiet --no-figures
succeeds
check "what only gets worse has not diverged" [ "$(figure_of pursuit wh diverged_at_trial)" = null ]

# ---- sweep and compare ------------------------------------------------------------------------

cfpc sweep short.yaml learning.rate=0.01,0.02,1e300 --out sweep
succeeds
says 'diverged      1   the first: rule fm-et diverged at trial 2 (and 3 more), at learning.rate=1e300'
says 'done          2'
check "the row's status says so" [ "$(tail -n 1 sweep/sweep.csv | cut -d, -f2)" = diverged ]
check "and its reason" grep -q '^1e300,diverged,"*rule fm-et diverged at trial 2 (and 3 more)' sweep/sweep.csv
says 'lowest rules.fm-et.rrmse_last: '
column=$(head -n 1 sweep/sweep.csv | tr , '\n' | grep -n '^rules.fm-et.diverged_at_trial$' | cut -d: -f1)
check "its row says so" [ "$(tail -n 1 sweep/sweep.csv | cut -d, -f"$column")" = 2 ]
column=$(head -n 1 sweep/sweep.csv | tr , '\n' | grep -n '^rules.fm-et.rrmse_last$' | cut -d: -f1)
check "and has no measure" [ "$(tail -n 1 sweep/sweep.csv | cut -d, -f"$column")" = nan ]
check "the figure says so" grep -q 'title "diverged"' sweep/fig-sweep.gp
cfpc sweep short.yaml learning.rate=0.01,1e300 loop.delay_ms=30,40 --out map --quiet
succeeds
cfpc sweep short.yaml learning.rate=1e299,1e300 --out lost --quiet --no-figures
ends 1
tells 'all 2 points that could be run diverged; the first: rule fm-et diverged at trial 2'
check "its table is there" [ "$(grep -c ,diverged, lost/sweep.csv)" = 2 ]
check "a map, too" grep -q 'title "diverged"' map/fig-sweep.gp

cfpc compare computed beside --all --out compared
succeeds
check "compare says so" grep -q '^  computed fm-et .* 1e+300  *diverged .* diverged at trial 2$' said
check "and has the rate of every rule" grep -q '^  beside  *wh  *1e+300 ' said
check "in its figure, too" grep -q 'computed:fm-et (diverged at trial 2)' compared/fig-compare.gp

# ---- references that cannot be squared --------------------------------------------------------

for size in 1e160 1e-300 1e-160; do
    sed "s/\[0.3, 1\], \[0.6, 1\]/[0.3, $size], [0.6, $size]/" short.yaml >size.yaml
    for verb in check "run --out size"; do
        cfpc ${verb%% *} size.yaml $(echo "$verb" | cut -s -d' ' -f2-)
        refuses 2 'it must lie between 1e-'
        tells ': give the task and its disturbances in another unit'
    done
done
for size in 1e15 1e-15; do
    sed "s/\[0.3, 1\], \[0.6, 1\]/[0.3, $size], [0.6, $size]/" short.yaml >size.yaml
    cfpc run size.yaml --out "size-$size" --quiet --no-figures
    succeeds
done
check "sizes do not matter" [ "$(figure_of size-1e15 fm-et rrmse_2 | cut -c 1-10)" = \
    "$(figure_of size-1e-15 fm-et rrmse_2 | cut -c 1-10)" ]
finish
