# SPDX-License-Identifier: Apache-2.0
# Every experiment that comes with cfpc: its claims hold, and each mutation named in mutations.txt (a
# wrong sign, a missing delay, a swapped trace) makes the claim fail that it names, or is refused.
mutations=$(cd "$(dirname "$0")" && pwd)/mutations.txt
. "$(dirname "$0")/lib.sh"

# A whole Purkinje cell takes too long here: its experiment runs with fewer synapses.
mkdir all
cp "$(dirname "$pursuit")"/*.yaml all
fewer_synapses all/purkinje.yaml
export CFPC_EXPERIMENTS="$here/all"
cfpc run --all --no-figures --out whole
succeeds
for name in $("$command" list | awk '{ print $1 }'); do
    check "$name has claims" grep -q '"pass": true' "whole/$name/summary.json"
    check "all of $name hold" [ "$(grep -c '"pass": false' "whole/$name/summary.json")" -eq 0 ]
done
says "$("$command" list | wc -l) of $("$command" list | wc -l) experiments ran and hold"

unset CFPC_EXPERIMENTS

# One that fails does not stop the others, and is not forgotten.
mkdir specs
cp "$(dirname "$pursuit")/blink.yaml" specs
sed 's/^name: .*/name: broken/; s/kp: 20/kp: 200/' "$pursuit" >specs/broken.yaml
CFPC_EXPERIMENTS=$here/specs cfpc run --all --no-figures --out some
ends 2
says '1 of 2 experiments ran and hold; each has its folder in some'
check "the other one is there" [ -e some/blink/summary.json ]
check "nothing of the broken one" [ ! -e some/broken ]
cfpc run pursuit --all
ends 2
tells '--all runs every experiment: name none'

[ -z "${CFPC_QUICK:-}" ] || finish # under sanitizers that is enough

count=0
while IFS='|' read -r name setting claim; do
    case $name in '' | '#'*) continue ;; esac
    count=$((count + 1))
    set -- # settings of rules that have nothing to do with each other stand in one line
    while :; do
        set -- "$@" --set "${setting%% ;; *}"
        case $setting in *' ;; '*) setting=${setting#* ;; } ;; *) break ;; esac
    done
    cfpc run "$name" "$@" --no-figures --out "mutated-$count"
    if [ "$claim" = refused ]; then
        ends 2
        continue
    fi
    succeeds
    for one in $claim; do
        check "$name with $* fails $one" \
            grep -q "{\"name\": \"$one\",.*\"pass\": false}" "mutated-$count/summary.json"
    done
done <"$mutations"
finish
