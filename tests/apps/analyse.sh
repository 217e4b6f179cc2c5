# SPDX-License-Identifier: Apache-2.0
# cfpc analyse: what it says and leaves, and what it refuses.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

analyse() {
    cfpc analyse short.yaml "$@"
}

# The value of a key of a section of what was said: figure SECTION KEY
figure() {
    sed -n "/^  \"$1\": {/,/^  }/s/^    \"$2\": \(.*[^,]\),*\$/\1/p" said
}

is_json() {
    python3 -m json.tool said >/dev/null 2>&1
}

command -v python3 >/dev/null || skip 'python3 is not installed'

# ---- what it says and leaves ------------------------------------------------------------------

figures='certificate.json
fig-prediction.csv
fig-prediction.gp
fig-prediction.png
fig-prediction.svg
fig-tolerance.csv
fig-tolerance.gp
fig-tolerance.png
fig-tolerance.svg
spec.yaml'

analyse
succeeds
says 'pursuit: Smooth pursuit'
says '  rule fm-et, learning in batch, taught by the error r - y'
says '  learning: monotone'
says 'dead time from o                     51 steps'
says '  forms (* of this rule)'
says '  * traces              -        -       -        -'
says '    adjoint       not possible: '
says "the teaching filter of rule 'fm-et' is longer than a trial (600 steps, 600 ms)"
says '    whitened '
says 'data:    out/pursuit-certificate/certificate.json'
if command -v gnuplot >/dev/null; then
    check "these files and no others" [ "$(LC_ALL=C ls out/pursuit-certificate)" = "$figures" ]
fi
check "nothing beside it" [ "$(ls -A out)" = pursuit-certificate ]

# The folder that stands for the name is replaced silently.
analyse --trials 3 --no-figures
succeeds
check "only the certificate is there" [ "$(ls out/pursuit-certificate | tr '\n' ' ')" = 'certificate.json spec.yaml ' ]
check "nothing beside it" [ "$(ls -A out)" = pursuit-certificate ]

# Where bases overlap too much, the end lies between two figures, and what could be left out is as
# much as the rank says.
wide() {
    cfpc analyse pursuit --no-figures \
        --set "basis={kind: gaussian, count: 20, width_ms: $1, spacing_ms: 50}"
    succeeds
}
wide 100
says 'asymptotic rRMSE                     not decided: 0.1748 to 0.19'
says 'The asymptote depends on directions'
if "$command" version | grep -q 'precision  double'; then # bases rounded to float have no rank of 14
    wide 400
    says 'asymptotic rRMSE                     not decided: at most 0.23'
    says 'optimum                              not decided: at most 0.2243'
    says 'rank                                 14 of 20'
    says '(singular values above 5.6e-13)'
    says 'redundant bases                      6: x_'
fi

# That of another rule stands beside it.
analyse --rule wh --no-figures
succeeds
says '  rule wh, learning in batch'
check "of the other rule" grep -q '"rule": "wh"' out/pursuit-certificate-wh/certificate.json
check "the first is there" grep -q '"rule": "fm-et"' out/pursuit-certificate/certificate.json

# One given is not.
analyse --out mine --no-figures
succeeds
says 'data:    mine/certificate.json'
cp mine/certificate.json before
analyse --out mine --rule wh --no-figures
refuses 2 'mine: holds a result already; --force replaces it'
check "it is as it was" same before mine/certificate.json
analyse --out mine --rule wh --no-figures --force
succeeds
check "it is replaced" grep -q '"rule": "wh"' mine/certificate.json

without_gnuplot
analyse --out undrawn
as_before
succeeds
check "data and scripts are there" [ -s undrawn/fig-prediction.gp ]
check "no picture" [ ! -e undrawn/fig-prediction.png ]

# The rest needs no fine steps.
sed -i 's/^step_ms: 1$/step_ms: 5/' short.yaml

# ---- JSON -------------------------------------------------------------------------------------

rm -rf out
analyse --json
succeeds
check "it is one JSON object" is_json
check "nothing is written" [ ! -e out ]
cp said object
analyse --json --out both --no-figures
succeeds
check "it says the same with a folder" same said object
check "and writes it" same both/certificate.json object
for key in stable lag_ms dead_time_steps; do
    check "loop.$key" [ -n "$(figure loop $key)" ]
done
for key in verdict rate_max rate_max_monotone transient_growth transient_peak_trial \
    asymptote_rrmse optimum_rrmse curve_peak curve_peak_trial trials_to_5pc rank condition; do
    check "learning.$key" [ -n "$(figure learning $key)" ]
done
check "a curve of 4 trials" [ "$(figure learning curve | tr -cd , | wc -c)" -eq 3 ]

# What cannot be said is null, and no failure.
is_unknown() {
    [ "$(figure learning verdict)" = '"not-applicable"' ] || return 1
    for key in rate_max rate_max_monotone transient_growth transient_peak_trial asymptote_rrmse \
        curve_peak curve_peak_trial trials_to_5pc; do
        [ "$(figure learning $key)" = null ] || return 1
    done
    [ "$(figure learning curve)" = '[]' ]
}
for set in loop.noise.measurement=0.01 'loop.saturation={low: -1, high: 1}' teach.sign=rectified \
    rules.fm-et.weight_low=-1 loop.delay_ms=200 task.repeats=no; do
    analyse --json --set "$set"
    succeeds
    check "it is one JSON object with $set" is_json
    check "figures are null with $set" is_unknown
done
analyse --json --set loop.delay_ms=200
check "the loop is not stable" [ "$(figure loop stable)" = false ]
check "and has no lag" [ "$(figure loop lag_ms)" = null ]
analyse --set loop.delay_ms=200 --out unstable
succeeds
says 'stable                               NO (largest pole 1.0'
says 'because the loop is not stable'
check "there is nothing to draw" [ "$(ls unstable | tr '\n' ' ')" = 'certificate.json spec.yaml ' ]
! grep -qi 'nan' said || failed "it says nan"
analyse --json --learning-rate 1e300
succeeds
check "what diverges is one JSON object" is_json
check "it diverges" [ "$(figure learning verdict)" = '"diverges"' ]

# ---- overrides, as of a run -------------------------------------------------------------------

analyse --json --trials 9
check "--trials" [ "$(figure learning curve | tr -cd , | wc -c)" -eq 8 ]
analyse --json --learning-rate 0.00125
check "--learning-rate" [ "$(figure learning rate)" = 0.00125 ]
cfpc run short.yaml --online --learning-rate 0.00125 --out run --quiet --no-figures
last=$(tail -n 1 run/curves.csv | cut -d , -f 2 | cut -c 1-5)
analyse --json --online --learning-rate 0.00125
check "--online" grep -q '"mode": "online"' said
check "it predicts the run" [ "$(figure learning curve | sed 's/.*, //' | cut -c 1-5)" = "$last" ]
analyse --json --set loop.delay_ms=40
check "--set" [ "$(figure loop dead_time_steps)" = 9 ]
analyse --json --rule wh+50ms
check "--rule" grep -q '"rule": "wh+50ms"' said

# ---- the weights of a run ---------------------------------------------------------------------

heard='basis={kind: laguerre, count: 3, time_constant_ms: 50, input: measurement}'
cfpc run short.yaml --set "$heard" --out heard --quiet --no-figures
succeeds
for rule in fm-et wh; do
    analyse --json --set "$heard" --rule $rule
    succeeds
    figure loop spectral_radius_with_weights >"end-$rule"
    analyse --json --set "$heard" --rule $rule --weights heard/weights.csv
    succeeds
    figure loop spectral_radius_with_weights >"file-$rule"
    check "weights.csv has those that a run ends with" same "end-$rule" "file-$rule"
done
check "each rule has its own" [ "$(sort -u end-* | wc -l)" -eq 2 ]
analyse --weights heard/weights.csv --out none
refuses 2 'heard/weights.csv: there are 3 weights for the 5 bases of pursuit'
analyse --weights missing.csv --out none
refuses 2 'missing.csv: No such file or directory'

# ---- every model in a band --------------------------------------------------------------------

analyse --no-figures --set believed.band.relative=0.1
succeeds
says '  band of the believed model'
says 'every model in the band              weights monotone below '
says ' (sufficient)'
says '    sampled: 17 models (believed, 0 variants, 16 on the edge); worst is '
says '    settings for the worst model         --set rules.fm-et.trace='
says 'covered by the sufficient bound'
says 'certified for every model in the band'
analyse --json --set 'believed.band.variants=[{name: late, set: {loop.delay_ms: 60}}]'
succeeds
check "it is JSON" is_json
says '"sampled": {"models": 2, "variants": 1, "edge": 0, "worst_model": "'
analyse --json
succeeds
says '"band": null'
analyse --no-figures --set 'believed.band.variants=[{name: wild, set: {loop.controller.kp: 500}}]'
refuses 2 "variant 'wild' of the band: "
# The settings that are advised can be copied.
two_mass=$(dirname "$pursuit")/../examples/two-mass.yaml
cfpc analyse "$two_mass" --no-figures --out servo
succeeds
says 'no rate is certified: the band is too wide from '
says 'sampled only: the sufficient bound covers no rate'
sets=$(sed -n 's/^    settings for the worst model  *//p' said)
cfpc analyse "$two_mass" --no-figures --out again $sets
succeeds
says 'Run it as it is: in the worst of '

# ---- what it refuses --------------------------------------------------------------------------

rm -rf out
analyse --rule fmet
refuses 2 "no rule 'fmet'"
analyse --jsn
refuses 2 "unknown option '--jsn'"
analyse --set loop.dely_ms=3
refuses 2 "did you mean 'delay_ms'?"
analyse --trials 0
refuses 2 '--trials must be'
analyse --learning-rate -1
refuses 2 '--learning-rate must be'
analyse more
refuses 2 'more'
cfpc analyse
refuses 2 'this needs the name of an experiment'
cfpc analyse ./missing.yaml
refuses 2 './missing.yaml: No such file or directory'
cfpc analyse nothing-of-this-name
refuses 2 'no experiment'
check "nothing is left" [ ! -e out ]
check "nothing at all" [ ! -e none ]
# A rule with another number of bases has its weights in a file of its own, and it can be read.
few='rules=[{name: a, trace: none}, {name: b, trace: none, set: {basis.count: 3}}]'
cfpc run short.yaml --set "$few" --out few --quiet --no-figures
succeeds
check "its own file" [ "$(head -n 1 few/weights-b.csv)" = basis,b ]
check "not in the other" [ "$(head -n 1 few/weights.csv)" = basis,a,optimum ]
analyse --json --set "$few" --rule b --weights few/weights-b.csv
succeeds

finish
