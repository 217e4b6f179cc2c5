# SPDX-License-Identifier: Apache-2.0
# What a result says of its origin: spec.yaml is what was run, and running it repeats the result to
# the last byte, from any folder.
specs=$(cd "$2" && pwd)
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"
mkdir other

# The first result moves away, together with all that it needs; what it came from is gone.
repeats() { # repeats FOLDER
    rm -rf other/first
    mv "$1" other/first
    cd other/first || exit 1
    cfpc run "$here/other/first/spec.yaml" --out "$here/again" --quiet $figures
    cd "$here" || exit 1
    tells_nothing
    check "$1: the same result again, in all its files" diff -r other/first again
    rm -rf again
}
figures=--no-figures

# ---- settings and options ---------------------------------------------------------------------

cfpc run short.yaml --set loop.delay_ms=40 --out plain --no-figures
succeeds
says 'pursuit (modified): '
says '  with loop.delay_ms=40'
check "the spec is the effective one" grep -q '^  delay_ms: 40 ' plain/spec.yaml
check "it holds the defaults" grep -q '^enters: controller-input ' plain/spec.yaml
check "it holds the settings" grep -q '^applied: \["loop.delay_ms=40"\]' plain/spec.yaml
check "so does the summary" grep -qF '"settings": ["loop.delay_ms=40"],' plain/summary.json
if command -v h5dump >/dev/null && [ -e plain/result.h5 ]; then
    check "result.h5 has the effective spec" sh -c \
        "h5dump -a /spec plain/result.h5 | grep -q '  delay_ms: 40 '"
    check "and the settings" sh -c "h5dump -a /settings plain/result.h5 | grep -q 'loop.delay_ms=40'"
fi
repeats plain

cfpc run short.yaml --out unchanged --quiet --no-figures
succeeds
check "nothing was set" grep -q '^# applied: ' unchanged/spec.yaml
repeats unchanged
check "a spec that was not modified is not when it is run again" \
    grep -q '"modified": false' other/first/summary.json

cfpc run short.yaml --online --trials 3 --learning-rate 0.002 --rule wh+50ms --out options \
    --quiet --no-figures
succeeds
check "options are settings" grep -qF \
    '"settings": ["learning.trials=3", "learning.mode=online", "rule=wh+50ms", "rules.0.rate=0.002", ' \
    options/summary.json
repeats options
cfpc run short.yaml --set loop.noise.measurement=0.01 --repeat 3 --out repeated --quiet --no-figures
succeeds
repeats repeated
cfpc run other/first/spec.yaml --set learning.trials=2 --out more --quiet --no-figures
succeeds
check "settings add up" grep -qF \
    '"settings": ["loop.noise.measurement=0.01", "learning.trials=2"],' more/summary.json

# ---- cases, tuning, phases --------------------------------------------------------------------

# A few of its rules, of every kind.
some_rules() { # some_rules NAME...
    awk -v names=" $* " '/^[a-z]/ { kept = !/^(story|claims):/ }
        in_rules && /^  - name: / { kept = index(names, " " $3 " ") > 0 }
        /^[a-z]/ { in_rules = /^rules:/ }
        kept'
}
sed 's/trials: 60/trials: 3/; s/trials: 100/trials: 2/; s/trials: 40/trials: 2/; s/^step_ms: 5/step_ms: 10/
    s/delay_ms: 65/delay_ms: 70/; s/delay_ms: 105/delay_ms: 100/; s/delay_ms: 85/delay_ms: 80/
    s/preview_ms: 5/preview_ms: 10/; s/high: 80/high: 40/; s/evaluations: .*, by/evaluations: 4, by/' "$specs/rivals.yaml" |
    some_rules cfpc cfpc-newton fel-preview ilc-p sensory >rivals.yaml
cfpc run rivals.yaml --set loop.controller.kp=15 --set rules.posture-cfpc.leak=0.01 \
    --set 'rules.posture-cfpc-newton.set={enters: plant-input}' --out rivals --quiet --no-figures
ends 0
check "the case's settings are not written over the rule's" \
    [ "$(grep -c 'enters: plant-input' rivals/spec.yaml)" -ge 1 ]
repeats rivals

# Constants that were tuned are in the spec of the result, which tunes again and finds the same.
sed 's/^rules:.*/tune: {evaluations: 6}\nrules:/
    s/{name: fm-et, trace: forward-model}/{name: fm-et, trace: forward-model, set: {olive.gain: 0.5}, tune: [{key: olive.gain, low: 0, high: 1}]}/
    s/{name: wh+50ms, trace: delay, delay_ms: 50}/{name: wh+50ms, trace: delay, delay_ms: 50, tune: [{key: delay_ms, low: 0, high: 200}, {key: rate_fraction, low: 0.01, high: 1, scale: log}]}/
    ' short.yaml >tuned.yaml
cfpc run tuned.yaml --out tuned --no-figures
succeeds
says 'wh+50ms                                   6 '
found=$(python3 -c 'import json
rules = json.load(open("tuned/summary.json"))["rules"]
assert rules["fm-et"]["tuned_constants"] == 1 and rules["wh"]["tuned_constants"] == 0
print("%g %r" % (rules["wh+50ms"]["tuned"]["delay_ms"], rules["fm-et"]["tuned"]["olive"]["gain"]))')
check "constants that were found are told" [ -n "$found" ]
check "and are in the spec" grep -q "^    delay_ms: ${found% *} " tuned/spec.yaml
check "in the settings of a rule, too" grep -q "olive.gain: \"${found#* }\"" tuned/spec.yaml
check "every evaluation is in the table" [ "$(wc -l <tuned/tuning.csv)" -eq 13 ]
repeats tuned
cfpc analyse tuned.yaml --out certified --no-figures
succeeds
says "CAUTION: rule 'fm-et' is tuned when it runs (olive.gain); this is about the values in the spec: for those that are found, analyse the spec.yaml of the run's result"
check "the certificate says so, too" python3 -c '
import json
assert "analyse the spec.yaml" in json.load(open("certified/certificate.json"))["tuned_later"]'
cfpc analyse short.yaml --json --set 'tune={rate_fractions: [0.5, 1]}'
says "the rate of rule 'fm-et' is tuned when it runs; this is about the rate in the spec"
cfpc analyse short.yaml --json
says '"tuned_later": null'

# So is a rate that was chosen from a list.
sed 's/{name: wh, trace: none}/{name: wh, trace: none, update: normalised}/' short.yaml >listed.yaml
cfpc run listed.yaml --set 'tune={rate_fractions: [0.01, 0.3, 0.7]}' --out listed --no-figures
succeeds
check "rates that were found are in the spec" python3 -c '
import json, re
rules = json.load(open("listed/summary.json"))["rules"]
spec = open("listed/spec.yaml").read()
for name, key in (("fm-et", "rate_fraction"), ("wh", "rate")):
    block = spec.split("  - name: " + name + " ")[1].split("  - name: ")[0]
    assert float(re.search("^    " + key + ": ([^ ]*)", block, re.M)[1]) == rules[name]["tuned"]["rate_fraction"], name
    assert re.search("^    scan: yes", block, re.M), name'
cfpc run listed/spec.yaml --learning-rate 0.1 --out other-rate --quiet --no-figures
refuses 2 "has no effect, as the rate of rule 'fm-et' is chosen from 'tune.rate_fractions': set rules.fm-et.scan=no, too"
cfpc run listed/spec.yaml --set rules.fm-et.rate=0.1 --set rules.fm-et.scan=no --out other-rate --quiet --no-figures
succeeds
cfpc analyse listed/spec.yaml --json
check "the certificate is about the rate that was found" grep -q "\"rate\": $(sed -n '/"fm-et": {/,/"rate":/s/.*"rate": \([^,]*\),*/\1/p' listed/summary.json)" said
repeats listed

# A kind that a phase changes, in a spec with every default written out.
sed 's/^learning:.*/phases: [{name: a, trials: 2}, {name: b, trials: 2, set: {rules.fm-et.trace: none}}]/
    s/name: fm-et, trace: forward-model/name: fm-et, trace: response/' short.yaml >kinds.yaml
cfpc run kinds.yaml --out kinds --quiet --no-figures
succeeds
repeats kinds

# ---- files ------------------------------------------------------------------------------------

mkdir data data/deep
awk -v OFS=, 'BEGIN { print "t,r"
    for (n = 0; n < 600; n++) print n, n < 100 ? 0 : n < 300 ? (n - 100) / 200 : 1 }' >data/curves.csv
awk 'BEGIN { for (n = 0; n < 600; n++) print n < 200 ? 0 : 2 }' >data/deep/curves.csv
sed 's|kind: piecewise-linear|kind: csv\n  file: curves.csv\n  column: r|; /points:/d
    s|^learning:.*|phases: [{name: a, trials: 3}, {name: b, trials: 2, set: {task.file: deep/curves.csv, task.column: 1}}]|
    ' short.yaml >data/files.yaml
cfpc run data/files.yaml --set loop.delay_ms=40 --out files --quiet
succeeds
check "its tables are its own" [ "$(head -n 1 files/curves.csv)" = \
    'trial,fm-et,wh,wh+50ms,wh+70ms,optimum' ]
check "a file is copied" same data/curves.csv files/input-curves.csv
check "another of its name, too" same data/deep/curves.csv files/input-curves-2.csv
check "the spec names the copies" grep -q '^  file: input-curves.csv ' files/spec.yaml
check "in the settings of a phase, too" grep -q 'task.file: input-curves-2.csv' files/spec.yaml
rm -rf data
figures=
repeats files
cp -R other/first before
cfpc run other/first/spec.yaml --out other/first --force --quiet
succeeds
check "a result may be replaced by its own run" diff -r before other/first
figures=--no-figures

# ---- sweeps -----------------------------------------------------------------------------------

cfpc sweep short.yaml loop.delay_ms=30,40 --set learning.trials=2 --out sweep --no-figures
succeeds
says 'sweep/spec.yaml is the spec that every point starts from'
check "a sweep says what was run" grep -q '^applied: \["learning.trials=2"\]' sweep/spec.yaml
cfpc sweep sweep/spec.yaml loop.delay_ms=30,40 --out swept --quiet --no-figures
succeeds
check "and is repeated by it" diff -r sweep swept

# ---- claims and titles ------------------------------------------------------------------------

cfpc run "$pursuit" --rule wh --trials 9 --out wh
succeeds
check "a claim about another rule's lead is not applicable" \
    grep -q "^  o leads the target's onset .* none .* not applicable\$" said
says '7 of 11 claims hold, 3 not applicable (on a modified spec'
check "in the summary, too" [ "$(grep -c '"pass": null' wh/summary.json)" -eq 3 ]
check "no title speaks of what came out" [ -z "$(grep -h 'after practice\|the sooner\|after 50' wh/fig-*.gp)" ]
check "but of what is drawn" grep -q 'rRMSE, trial by trial' wh/fig-story.gp
cfpc run "$pursuit" --set 'rules=[{name: fm-et, trace: forward-model}]' --out alone --no-figures
succeeds
says '8 of 8 claims hold, 6 not applicable'
cfpc compare wh alone --no-figures --out compared
says ' 7 of 11'
says ' 8 of 8'
finish
