# SPDX-License-Identifier: Apache-2.0
# Every experiment that comes with cfpc, run once: its claims hold. Those in $slow take more than three seconds: they
# are run with a third word, slow, and the others without. With the word few, two trials of each phase of all are
# run, and nothing is claimed. What regressions.txt lists must hold like claims, and each result is the published one, bit
# for bit: its hash is that in experiments/HASHES. Those are of double: a cfpc that computes in float has others.
which=${3:-}
slow="rivals ringing cascade matched-delay pursuit-spikes pursuit-online recurrent two-plants microzone two-joints learned-model
    anticogging"
regressions=$(cd "$(dirname "$0")" && pwd)/regressions.py
. "$(dirname "$0")/lib.sh"

# A whole Purkinje cell takes too long here: its experiment runs with fewer synapses.
mkdir all
cp "$(dirname "$pursuit")"/*.yaml "$(dirname "$pursuit")"/HASHES all
fewer_synapses all/purkinje.yaml
sed 's/^name: purkinje\>/name: purkinje-small/' all/purkinje.yaml >all/purkinje-small.yaml
rm all/purkinje.yaml
export CFPC_EXPERIMENTS="$here/all"
if [ "$which" = few ]; then
    few_trials all/*.yaml
    cfpc run --all --no-figures --out whole
    succeeds
    finish
fi
mkdir others
cp all/HASHES others
for name in $slow; do
    mv "all/$name.yaml" others
done
[ "$which" != slow ] || export CFPC_EXPERIMENTS="$here/others"
cfpc run --all --no-figures --out whole
succeeds
for name in $("$command" list | awk '{ print $1 }'); do
    check "$name has claims" grep -q '"pass": true' "whole/$name/summary.json"
    check "all of $name hold" [ "$(grep -c '"pass": false' "whole/$name/summary.json")" -eq 0 ]
done
says "$("$command" list | wc -l) of $("$command" list | wc -l) experiments ran and their claims hold"
check "what regressions.txt lists holds" python3 "$regressions" whole

# The stored hash and the words about it.
hash_of() { # hash_of EXPERIMENT
    sed -n 's/^  "hash": "\([0-9a-f]*\)",$/\1/p' "whole/$1/summary.json"
}
if "$command" --version | grep -q 'core precision.*double'; then
    for name in $("$command" list | awk '{ print $1 }'); do
        check "$name has its published hash, not $(hash_of "$name"): tools/hashes $name" \
            grep -qx "$name $(hash_of "$name")" all/HASHES
    done
    check "each says so" [ "$(grep -c ', the published result, bit for bit$' said)" -eq "$("$command" list | wc -l)" ]
else
    check "none is published in float" [ "$(grep -c 'published result, bit for bit' said)" -eq 0 ]
fi

unset CFPC_EXPERIMENTS
if [ "$which" = slow ]; then
    says "  tone-cascade: the prediction's error in the last trial is 0.0"
    finish
fi

# One that fails does not stop the others, and is not forgotten.
mkdir specs
cp "$pursuit" specs
sed 's/^name: .*/name: broken/; s/kp: 20/kp: 200/' "$pursuit" >specs/broken.yaml
CFPC_EXPERIMENTS=$here/specs cfpc run --all --no-figures --out some
ends 2
says '1 of 2 experiments ran and their claims hold; the results are in some'
check "the other one is there" [ -e some/pursuit/summary.json ]
check "nothing of the broken one" [ ! -e some/broken ]
says '14 of 14 claims hold'
tells 'the loop is unstable'

# A signal stops those that run, and none of them leaves half a result.
mkdir endless
for name in one two three; do
    sed "s/^name: .*/name: $name/; s/trials: 50/trials: 1000000, mode: online/" "$pursuit" |
        sed 's/mode: batch, //' >endless/$name.yaml
done
CFPC_EXPERIMENTS=$here/endless "$command" run --all --no-figures --out never >said 2>told &
sleep 1
kill -TERM $!
wait $!
check "what was stopped failed" [ $? -eq 1 ]
check "says so" grep -q '^0 of 3 experiments ran' said
check "tells that it was stopped" grep -q stopped told
check "leaves nothing" [ -z "$(ls never 2>/dev/null)" ]

cfpc run pursuit --all
ends 2
tells '--all runs every experiment; do not name one'

finish
