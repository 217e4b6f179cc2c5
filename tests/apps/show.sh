# SPDX-License-Identifier: Apache-2.0
# cfpc show and check, and --set and --repeat: what is shown runs the same, what is wrong is told.
specs=$(cd "$2" && pwd)
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

# ---- show -------------------------------------------------------------------------------------

for spec in "$specs"/*.yaml; do
    name=$(basename "$spec" .yaml)
    cfpc show "$spec"
    succeeds
    cp said shown.yaml
    cfpc show shown.yaml
    check "$name: shown twice it is the same" same said shown.yaml
done

cfpc show short.yaml --set loop.delay_ms=40 --set rules.wh.leak=0.25 --set "title='a: b # c'"
succeeds
cp said shown.yaml
check "a setting is shown" grep -q '^  delay_ms: 40 ' shown.yaml
check "in a list, too" grep -q '^    leak: 0.25 ' shown.yaml
check "text is quoted" grep -q '^title: "a: b # c"' shown.yaml
check "every default has its meaning beside it" grep -q '^step_ms: 1  *# sampling step' shown.yaml
check "what is left out is a comment" grep -q '^# believed:  *# what the forward model' shown.yaml
cfpc run shown.yaml --out a --quiet --no-figures
succeeds
cfpc run short.yaml --set loop.delay_ms=40 --set rules.wh.leak=0.25 --out b --quiet --no-figures
succeeds
check "shown with settings it runs as with them" same a/curves.csv b/curves.csv
cfpc show nonesuch
refuses 2 "no experiment 'nonesuch'"
cfpc show short.yaml --set loop.delai_ms=40
refuses 2 "unknown key 'delai_ms' in the loop; did you mean 'delay_ms'?"

# ---- check ------------------------------------------------------------------------------------

cfpc check short.yaml
succeeds
says 'pursuit: fine; 600 steps, 5 bases, 4 rules; largest pole 0.99'
says '; a linear problem; taught by the error r - y'
says '; a linear problem'
cfpc check short.yaml --set loop.noise.process=0.1
succeeds
says '; not a linear problem: there is noise'
cfpc check short.yaml --set loop.delay_ms=200
refuses 2 'short.yaml:9:1: the loop is unstable: its largest pole has magnitude 1.'
cfpc check short.yaml --set believed.delay_ms=200
refuses 2 ': the believed loop is unstable: its largest pole has magnitude 1.'
cfpc check short.yaml --set learning.trials=0
refuses 2 "'trials' must be at least 1; this is 0"
late='{kind: gaussian, count: 3, width_ms: 20, spacing_ms: 50, first_ms: 680}'
early='{kind: gaussian, count: 3, width_ms: 20, spacing_ms: 50, first_ms: 100}'
idle="CAUTION: bank 2 of the basis, 3 signals, lies after the trial of 0.6 s: its weights learn nothing; lower its 'first_ms' (680)"
cfpc check short.yaml --set "basis=[$early, $late]"
succeeds
says "$idle"
cfpc run short.yaml --set "basis=[$early, $late]" --out late --no-figures
succeeds
says "$idle"
cfpc analyse short.yaml --set "basis=[$early, $late]" --no-figures
succeeds
says "$idle"
cfpc check short.yaml --set "basis=[$early, $early]"
check "no word about banks within the trial" [ "$(grep -c CAUTION said)" -eq 0 ]
cfpc check none.yaml
refuses 2 'none.yaml: No such file or directory'
cfpc check
refuses 2 'this needs the name of an experiment'
cfpc check short.yaml more
ends 2
cfpc check short.yaml --set 'phases=[{name: one, trials: 2}, {name: two, trials: 3, set: {loop.delay_ms: 60}}]'
succeeds
says 'pursuit, phase one: fine; '
says 'pursuit, phase two: fine; '
cfpc check short.yaml --set 'phases=[{name: one, trials: 2}, {name: two, trials: 3, set: {loop.delay_ms: 200}}]'
ends 2
tells ': the loop is unstable'

# ---- set and repeat ---------------------------------------------------------------------------

rows() { # rows FILE: without its header
    [ "$(($(wc -l <"$1") - 1))" -eq "$2" ]
}

noisy='--set loop.noise.measurement=0.01 --set learning.trials=3'
cfpc run short.yaml $noisy --repeat 4 --out four --quiet --no-figures
succeeds
check "three trials" rows four/curves.csv 3
check "a half width a rule" [ "$(head -n 1 four/curves.csv)" = \
    'trial,fm-et,wh,wh+50ms,wh+70ms,optimum,fm-et.half_width,wh.half_width,wh+50ms.half_width,wh+70ms.half_width' ]
check "that is above 0" awk -F, 'NR > 1 && $7 <= 0 { exit 1 }' four/curves.csv
cfpc run short.yaml $noisy --repeat 4 --out again --quiet --no-figures
check "the same again" same four/curves.csv again/curves.csv

# The mean of the first two trials of four seeds, each run by itself.
for seed in 1 2 3 4; do
    cfpc run short.yaml $noisy --set loop.noise.seed=$seed --out "seed$seed" --quiet --no-figures
    succeeds
done
mean=$(cat seed?/curves.csv | awk -F, '$1 == 2 { sum += $2 } END { printf "%.12g", sum / 4 }')
check "the mean of the seeds" awk -F, -v mean="$mean" \
    '$1 == 2 && ($2 - mean) ^ 2 > 1e-18 { exit 1 }' four/curves.csv
cfpc run short.yaml $noisy --out one --quiet --no-figures
check "one run has no half widths" [ "$(head -n 1 one/curves.csv)" = \
    'trial,fm-et,wh,wh+50ms,wh+70ms,optimum' ]
check "and is the first seed's" same one/curves.csv seed1/curves.csv
cfpc run short.yaml $noisy --repeat 2 --out two --no-figures
says ', mean of 2 runs'
says '  rRMSE of the last trial: mean of 2 runs, and its 95 % interval'
check "the interval is that of the curves" grep -qE '^  wh\+70ms +[0-9.]+ ± [0-9.]+$' said
cfpc run short.yaml --set learning.trials=3 --set 'teach.spikes={rate_hz: 20, scale: 1}' --repeat 2 --out spiky \
    --no-figures
check "of the steps of both runs" grep -q '^  fm-et: taught by spikes, clipped in [0-9]* of 3600 steps' said
tune='--set learning.trials=3 --set tune.evaluations=4 --force --no-figures'
cfpc run short.yaml $tune --out tuned --set 'rules.2.tune=[{key: delay_ms, low: 0, high: 1}]'
says ' (at the end of its range)'
cfpc run short.yaml $tune --out tuned --set 'rules.2.tune=[{key: delay_ms, low: 0, high: 150}]'
check "not so in between" [ "$(grep -c 'at the end of its range' said)" -eq 0 ]
for bad in 0 -1 1.5 many ''; do
    cfpc run short.yaml --repeat "$bad" --out bad --quiet --no-figures
    refuses 2 '--repeat must be a whole number from 1 to'
done
for bad in loop.delay_ms =5 loop.delay_ms=; do
    cfpc run short.yaml --set "$bad" --out bad --quiet --no-figures
    refuses 2 'a setting is KEY=VALUE, as loop.delay_ms=80'
done
check "nothing bad was left" [ ! -e bad ]
finish
