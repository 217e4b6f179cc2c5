# SPDX-License-Identifier: Apache-2.0
# tools/check-seeds finds claims that hold with the seed of the spec only.
tools=$(cd "$(dirname "$0")/../../tools" && pwd)
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"
unset CFPC_TURN

check_seeds() { # check_seeds FOLDER
    "$tools/check-seeds" "$command" "$1" >"$here/said" 2>"$here/told"
    code=$?
    ran="check-seeds $1"
}

claim() { # claim LOW HIGH NOISE: a spec, and what it claims of the error after two trials
    sed "s/trials: 4/trials: 2/; s/^learning:/${3:-}\n&/" short.yaml
    printf 'claims: [{name: c, says: it learns, measure: rules.fm-et.rrmse_2, low: %s, high: %s}]\n' "$1" "$2"
}
noise='teach: {noise: 0.1}'

mkdir holds fails
claim 0 0.001 >holds/fixed.yaml # nothing of it is random: it is not run, or it would fail
claim 0 1 "$noise" >holds/noisy.yaml
check_seeds holds
succeeds
says 'with seeds 1 2 3 4 5 all claims hold of: noisy'

cfpc run holds/noisy.yaml --no-figures --quiet --out own
succeeds
value=$(tail -n 1 own/curves.csv | cut -d, -f2)
claim "$(awk "BEGIN { print $value * 0.9999 }")" "$(awk "BEGIN { print $value * 1.0001 }")" "$noise" \
    >fails/lucky.yaml
cfpc run fails/lucky.yaml --no-figures --quiet --out lucky
succeeds
check_seeds fails
ends 1
says 'lucky, seed 1: cfpc: 1 of 1 claims do not hold'
says 'it learns'

# One of them, in turn.
export CFPC_TURN=6
check_seeds holds
succeeds
says 'with seed 2 all claims hold of: noisy'
unset CFPC_TURN

# What is tuned without noise is tuned once; with noise in the first phase it is tuned with every seed.
tuned() { # tuned PHASES [HIGH]: a spec with a rule that is tuned
    claim 0 "${2:-1}" "phases: [$1]" | sed 's/^learning:.*/tune: {evaluations: 20}/
        s/{name: fm-et, trace: forward-model}/{name: fm-et, trace: forward-model, tune: [{key: rate_fraction, low: 0.1, high: 1}]}/'
}
mkdir tuned again worse
quiet='{name: a, trials: 2}, {name: b, trials: 1, set: {teach.noise: 0.1}}'
tuned "$quiet" >tuned/once.yaml
tuned "$quiet" 1e-6 >worse/once.yaml
tuned '{name: a, trials: 2, set: {teach.noise: 0.1}}' >again/noisy.yaml
check_seeds tuned
succeeds
check "tuned once" [ "$(cat said)" = 'with seeds 1 2 3 4 5 all claims hold of: once' ]
check_seeds again
succeeds
for seed in 2 3 4 5; do
    says "noisy, seed $seed: tuned again"
done
check_seeds worse
ends 1
for seed in 1 2 3 4 5; do
    says "once, seed $seed: cfpc: 1 of 1 claims do not hold"
done

finish
