# SPDX-License-Identifier: Apache-2.0
# cfpc sweep: what it leaves and says, and what it refuses.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

sweep() {
    cfpc sweep short.yaml "$@"
}

# ---- what it leaves ---------------------------------------------------------------------------

sweep loop.delay_ms=30:50:3 enters=controller-input,plant-input
succeeds
says 'pursuit: 6 points, taught by the error r - y'
says '  done          6'
says '  refused       0'
says 'lowest rules.fm-et.rrmse_last: '
says 'data:    out/pursuit-sweep/sweep.csv'
check "a header and six rows" [ "$(wc -l <out/pursuit-sweep/sweep.csv)" -eq 7 ]
check "the first key varies slowest" [ "$(cut -d , -f 1,2 out/pursuit-sweep/sweep.csv | sed -n 3p)" = 30,plant-input ]
check "and the last is the last" [ "$(cut -d , -f 1-4 out/pursuit-sweep/sweep.csv | sed -n 7p)" = '50,plant-input,done,""' ]
check "the script is there" [ -s out/pursuit-sweep/fig-sweep.gp ]
check "no journal is left" [ "$(ls -A out)" = pursuit-sweep ]

# A point is the run it says it is.
cfpc run short.yaml --set loop.delay_ms=40 --set enters=plant-input --out one --no-figures --quiet
succeeds
lag=$(sed -n 's/.*"lag_ms": \(.*\),/\1/p' one/summary.json)
check "with its measures" grep -q "^40,plant-input,done,\"\",.*,$lag," out/pursuit-sweep/sweep.csv

for threads in 1 2 7; do
    sweep loop.delay_ms=20:60:5 loop.controller.kp=10,20 --threads $threads --out "on$threads" --quiet --no-figures
    succeeds
    check "quiet says nothing" [ ! -s said ]
    check "without a figure" [ ! -e "on$threads/fig-sweep.gp" ]
    check "threads change nothing" same on1/sweep.csv "on$threads/sweep.csv"
done

# Several seeds per point.
sweep teach.noise=0.05,0.1 --repeat 3 --out repeated
succeeds
says 'pursuit: 2 points, means of 3 runs with 95 % intervals'
says ' ± '
check "every measure has its interval" grep -q ',rules.fm-et.rrmse_last_half_width,' repeated/sweep.csv
check "the figure has it" grep -q 'with yerrorbars' repeated/fig-sweep.gp
check "the spec says how often" grep -q '^runs: 3' repeated/spec.yaml
sweep teach.noise=0.05,0.1 --repeat 0 --out none-of-it
refuses 2 '--repeat must be a whole number from 1 to 1000000'
sweep runs=1,2 --no-figures --out once-or-twice
says 'at runs=1'
check "one run has no interval" sh -c "! grep -q '± nan' '$here/said' '$here/told'"
sweep teach.noise=0.05,0.1 --out once --no-figures --quiet
check "without it there is none" [ "$(grep -c half_width once/sweep.csv)" = 0 ]

sweep loop.delay_ms=50,200 --out some
succeeds
says '  refused       1   the first: '
check "an unstable point is a row that says so" grep -q '^200,refused,"short.yaml:9:1: the loop is unstable.*",nan,nan' some/sweep.csv

sweep enters=controller-input,plant-input --out names
succeeds
says 'figure:  none: no key has two or more numbers'
check "no figure" [ ! -e names/fig-sweep.gp ]
sweep loop.delay_ms=30,50 --rule wh --trials 3 --learning-rate 0.001 --online --out options --no-figures
succeeds
check "the options hold at every point" [ "$(cut -d , -f 5 options/sweep.csv | sort -u | tr '\n' ' ')" = '0.001 learning_rate ' ]

# The rule whose signals count: its o leads by another time than the first rule's.
column() { # column NAME TABLE: of its first point
    awk -F , -v "name=$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
                           NR == 2 { print $at }' "$2"
}
for rule in fm-et wh; do
    cfpc run short.yaml --rule $rule --out "run-$rule" --no-figures --quiet
    sweep loop.delay_ms=50 --rule $rule --out "sweep-$rule" --no-figures --quiet
    succeeds
    lead=$(sed -n 's/.*"lead_ms": \(.*\),/\1/p' "run-$rule/summary.json")
    check "lead_ms is the rule's" [ "$(column lead_ms "sweep-$rule/sweep.csv")" = "$lead" ]
    echo "$lead" >>leads
done
check "they differ" [ "$(sort -u leads | wc -l)" -eq 2 ]

sweep loop.delay_ms=30,50 --measure rules.fm-et.diverged_at_trial --out unknown
succeeds
says 'lowest rules.fm-et.diverged_at_trial: no value is finite'
says 'figure:  none: no value of the measure is finite'

without_gnuplot
sweep loop.delay_ms=30,50 --out undrawn
as_before
succeeds
says 'figure:  not drawn, as gnuplot is not installed'

# ---- what it refuses --------------------------------------------------------------------------

mkdir none # stays empty
sweep loop.delay_ms=200,300 --out none/a/b
refuses 2 'none of the 2 points can be run; the first: short.yaml:9:1: the loop is unstable'
sweep loop.dely_ms=1,2 --out none/a/b
refuses 2 "unknown key 'dely_ms' in the loop; did you mean 'delay_ms'?"
sweep --out none/a
refuses 2 'sweep needs a key and its values, e.g. loop.delay_ms=20:100:9'
cfpc sweep --out none/a
refuses 2 'this needs the name of an experiment'
sweep loop.delay_ms=1:2 --out none/a
refuses 2 'loop.delay_ms: a range is FROM:TO:COUNT, e.g. 20:100:9'
sweep loop.delay_ms --out none/a
refuses 2 'a sweep takes KEY=FROM:TO:COUNT or KEY=a,b,c'
sweep loop.delay_ms=1,2 --threads 65 --out none/a
refuses 2 'threads must be a number from 1 to 64, or 0 for one per core; this is 65'
sweep loop.delay_ms=1,2 --threads 0 --out none/a
refuses 2 '--threads must be a whole number from 1'
check "nothing is left" is_empty none

sweep loop.delay_ms=30,50 --out on1 --quiet
refuses 2 'on1: holds a result already; --force replaces it'
sweep loop.delay_ms=30,50 --out on1/ --quiet --no-figures --force
succeeds
check "it is replaced" grep -q '^30,done' on1/sweep.csv

# A misspelt measure is refused before the first point is run.
sweep loop.delay_ms=30,50 --measure lag --out none/a
refuses 2 "no point has a measure 'lag'; did you mean 'lag_ms'?"
check "nothing is left" is_empty none
sweep loop.delay_ms=30,50 --measure rules.fm-et.rrmse_20 --out none/a
refuses 2 "no point reaches the trial of 'rules.fm-et.rrmse_20'"
sweep learning.trials=4,20 --measure rules.fm-et.rrmse_20 --out longer --quiet
succeeds # the second point reaches it
sweep loop.delay_ms=200,50 --measure lag --out none/a # the first point is unstable
refuses 2 "no point has a measure 'lag'; did you mean 'lag_ms'?"
sweep 'rules=[{name: a, trace: none}],[{name: b, trace: none}]' --measure rules.b.rrmse_last --out second --quiet
succeeds # only the second point has it

# A sweep whose figure cannot be drawn loses nothing: the points are kept for the next attempt.
unfinished() { # unfinished WORDS...
    with_gnuplot 'exit 3'
    sweep "$@"
    as_before
    refuses 1 'fig-sweep.svg: gnuplot could not draw it'
}
unfinished loop.delay_ms=30,50 --out kept
check "they are there" [ -s kept.partial/journal ]
sweep loop.delay_ms=30,60 --out kept
refuses 2 'kept.partial: holds an unfinished sweep of another spec, setting, grid or version; --force starts over, another --out keeps it'
sed 's/kp: 20/kp: 19/' short.yaml >other.yaml
cfpc sweep other.yaml loop.delay_ms=30,50 --out kept
refuses 2 'kept.partial: holds an unfinished sweep'
sweep loop.delay_ms=30,50 --measure lag_ms --out kept --no-figures
succeeds
says 'lowest lag_ms: '
check "the journal is gone" [ ! -e kept.partial ]
unfinished loop.delay_ms=30,50 --out anew
sweep loop.delay_ms=30,60 --out anew --force --no-figures --quiet
succeeds
check "force begins anew" grep -q '^60,done' anew/sweep.csv
check "the journal is gone" [ ! -e anew.partial ]
finish
