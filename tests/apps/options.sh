# SPDX-License-Identifier: Apache-2.0
# The options of cfpc run, one by one.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

quick='run short.yaml --no-figures --quiet --out'

# Whether the signals' ‖e_last‖ / ‖e_first‖ is the last value of this column of the curves.
signals_fit() { # signals_fit FOLDER COLUMN
    awk -F, -v curve="$(tail -n 1 "$1/curves.csv" | cut -d, -f"$2")" '
        NR > 1 { first += $5 ^ 2; last += $6 ^ 2 }
        END { apart = sqrt(last / first) / curve - 1; if (apart ^ 2 > 1e-8) exit 1 }' \
        "$1/signals.csv"
}

summary_says() { # summary_says FOLDER KEY VALUE
    grep -q "^  \"$2\": $3,\$" "$1/summary.json"
}

cfpc $quick plain
succeeds
check "--quiet says nothing" [ ! -s said ]
check "--no-figures leaves none" [ -z "$(ls plain | grep fig-)" ]
check "--out makes the result there" [ -s plain/curves.csv ]
check "and only there" [ ! -e out ]
check "the signals are those of fm-et" signals_fit plain 2
check "it is not modified" summary_says plain modified false

# ---- --rule -----------------------------------------------------------------------------------

column=2
for rule in fm-et wh wh+50ms wh+70ms; do
    cfpc $quick "rule-$column" --rule "$rule"
    succeeds
    check "--rule $rule leaves the curves as they are" same plain/curves.csv "rule-$column/curves.csv"
    check "--rule $rule keeps its signals" signals_fit "rule-$column" "$column"
    check "--rule $rule is noted" summary_says "rule-$column" rule "\"$rule\""
    check "--rule $rule modifies" summary_says "rule-$column" modified true
    column=$((column + 1))
done
check "--rule fm-et is the standard" same plain/signals.csv rule-2/signals.csv
check "--rule changes the traces" [ "$(md5sum <rule-2/traces.csv)" != "$(md5sum <rule-3/traces.csv)" ]
check "the trace of wh is its input" awk -F, 'NR > 1 { for (j = 2; j <= 6; j++)
    if ($j != $(j + 5)) exit 1 }' rule-3/traces.csv

# ---- --trials, --learning-rate, --online ------------------------------------------------------

cfpc $quick few --trials 3
succeeds
check "--trials 3 leaves three rows" [ "$(wc -l <few/curves.csv)" -eq 4 ]
check "the first three" [ "$(head -n 4 plain/curves.csv)" = "$(cat few/curves.csv)" ]
check "what was not run is null" grep -q '"rrmse_7": null' few/summary.json
cfpc run short.yaml --no-figures --out two --trials 2
check "--trials 2 shows trial 2 once" grep -qx '  rRMSE *trial 2' said
cfpc $quick one --trials=1
succeeds
check "--trials=1 leaves one row" [ "$(wc -l <one/curves.csv)" -eq 2 ]

cfpc $quick slow --learning-rate 0.001
succeeds
check "--learning-rate is used" summary_says slow learning_rate 0.001
check "--learning-rate changes the curves" \
    [ "$(sed -n 3p slow/curves.csv)" != "$(sed -n 3p plain/curves.csv)" ]

cfpc $quick online --online --trials 3
succeeds
check "--online is noted" summary_says online mode '"online"'
check "--online changes the curves" \
    [ "$(sed -n 3p online/curves.csv)" != "$(sed -n 3p plain/curves.csv)" ]

# Of a preconditioned rule only --rule of another one lets a run go on line.
sed 's/^  - {name: wh,.*/  - {name: newton, trace: forward-model, update: preconditioned}/' short.yaml >newton.yaml
check "the spec has such a rule" grep -q preconditioned newton.yaml
cfpc run newton.yaml --no-figures --quiet --out batch --trials 2
succeeds
check "in batch it runs" grep -q '^trial,fm-et,newton,' batch/curves.csv
cfpc run newton.yaml --no-figures --quiet --out left-out --trials 2 --online --rule fm-et
succeeds
check "on line it is left out" grep -q '^trial,fm-et,wh+50ms,' left-out/curves.csv
cfpc analyse newton.yaml --no-figures --online --rule fm-et --set step_ms=5
succeeds
cfpc run newton.yaml --no-figures --quiet --out none --online
refuses 2 "rule 'newton' has a preconditioned update, which works in batch only: use 'update: plain', or choose another rule (--rule, in Python rule=), which leaves it out"
cfpc run newton.yaml --no-figures --quiet --out none --online --rule newton
refuses 2 "rule 'newton' has a preconditioned update"

# ---- --set ------------------------------------------------------------------------------------

mkdir -p specs
cp short.yaml specs/own.yaml
printf '0\n1\n' >steps.csv
cfpc run specs/own.yaml --no-figures --quiet --out from-here --trials 2 \
    --set 'task={kind: csv, file: steps.csv, trial_s: 0.6}'
succeeds
sed '/^task:/,/^$/d' short.yaml >specs/beside.yaml # without its task
echo 'task: {kind: csv, file: steps.csv, trial_s: 0.6}' >>specs/beside.yaml
cfpc check specs/beside.yaml
refuses 2 'specs/steps.csv: No such file or directory'
mv steps.csv specs
cfpc check specs/beside.yaml
succeeds

# ---- a response -------------------------------------------------------------------------------

awk 'BEGIN { for (n = 0; n < 160; n++) print n < 120 ? 0 : 0.025 }' >window.csv
for mode in batch online; do
    cfpc run short.yaml --no-figures --quiet --out "window-$mode" --trials 3 --set "learning.mode=$mode" \
        --set 'rules=[{name: window, trace: response, file: window.csv}]'
    succeeds
done
cfpc check pursuit --set 'rules.wh={name: wh, trace: response, file: window.csv}' --set 'rules.fm-et.trace=response'
succeeds
if "$command" version | grep -q 'precision  double'; then
    says '  rule fm-et: its response is realised with 3 states and 1 line'
else # measured in float, its last digits are noise, which takes states too
    says '  rule fm-et: its response is realised with '
fi
says '  rule wh: its response is used as a filter, tap by tap: 40 lines'

# ---- --force ----------------------------------------------------------------------------------

cfpc $quick kept --trials 2
succeeds
cp -R kept before
cfpc $quick kept --trials 3
refuses 2 'kept: holds a result already; --force replaces it'
check "without --force the result is as it was" diff -r before kept
cfpc $quick kept --trials 3 --force
succeeds
check "with --force it is replaced" [ "$(wc -l <kept/curves.csv)" -eq 4 ]
echo mine >kept/notes.txt
cfpc $quick kept --trials 2 --force
refuses 2 "kept: 'notes.txt' in it is not part of the result and would be lost"
check "a foreign file is not lost" [ "$(cat kept/notes.txt)" = mine ]
check "and the result is as it was" [ "$(wc -l <kept/curves.csv)" -eq 4 ]
mkdir foreign
echo mine >foreign/notes.txt
cfpc $quick foreign --force
refuses 2 'foreign: holds files that are not a result of cfpc'

# ---- --seed -----------------------------------------------------------------------------------

noisy='run short.yaml --no-figures --quiet --trials 3 --set teach.noise=0.1'
cfpc $noisy --out drawn
succeeds
cfpc $noisy --out drawn-0 --seed 0
succeeds
cfpc $noisy --out drawn-5 --seed 5
succeeds
cfpc $noisy --out set-5 --set teach.seed=6
succeeds
check "--seed 0 is the default" same drawn/curves.csv drawn-0/curves.csv
check "--seed changes what is drawn" [ "$(same drawn/curves.csv drawn-5/curves.csv; echo $?)" = 1 ]
check "it is added to the seeds of the spec" same drawn-5/curves.csv set-5/curves.csv
cfpc run drawn-5/spec.yaml --no-figures --quiet --out drawn-again
succeeds
check "its spec.yaml repeats the run" same drawn-5/curves.csv drawn-again/curves.csv
cfpc $quick seeded --seed 5
succeeds
check "--seed alone does not modify: claims are required" summary_says seeded modified false
check "what has nothing random has no other curves" same plain/curves.csv seeded/curves.csv
cfpc $quick bad --seed -1
refuses 2 "--seed must be a whole number from 0 to 1000000; this is '-1'"
cfpc $quick bad --set 'rules.wh.set={seed: 3}'
refuses 2 "'set' of rule 'wh' cannot change 'seed'"

# ---- claims -----------------------------------------------------------------------------------

sed 's/low: 85/low: 110/' "$pursuit" >own.yaml
cfpc run own.yaml --no-figures --out fails
ends 1
tells '1 of 14 claims do not hold'
says ' FAILS'
says '13 of 14 claims hold'
check "a claim that fails leaves the result" [ -s fails/curves.csv ]
check "and is noted" [ "$(grep -c '"pass": false' fails/summary.json)" -eq 1 ]
check "with its range" [ "$(grep -c '"low": 110, "high": 115' fails/summary.json)" -eq 1 ]
sed -E '/^    low: (85|240)$/d; s/^    high: 5$/    # no maximum/' "$pursuit" >one-sided.yaml
cfpc run one-sided.yaml --no-figures --out one-sided
succeeds
says '14 of 14 claims hold'
says ' at most 115 '
says ' at least -5 '
check "a bound that is left out is null" [ "$(grep -c '"low": null, "high": 115' one-sided/summary.json)" -eq 1 ]
check "and is left out of the spec of the result" [ "$(grep -c '^ *high: 5$' one-sided/spec.yaml)" -eq 0 ]
cfpc run own.yaml --no-figures --out modified --rule wh
succeeds
says '(on a modified spec: shown, not required)'
cfpc run pursuit --no-figures --out short --trials 3
succeeds
says '(on a modified spec: shown, not required)'

# Rules that learn from different signals say so.
cfpc run pursuit --no-figures --out mixed --trials 2 --set 'rules.wh.set={teach.signal: measured-error}'
succeeds
says '  fm-et: taught by the error r - y'
says '  wh: taught by the measured error r - m'
check "in the summary too" grep -qF '"taught_by": {"fm-et": "error", "wh": "measured-error", ' mixed/summary.json
finish
