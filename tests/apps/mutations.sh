# SPDX-License-Identifier: Apache-2.0
# Each mutation named in mutations.txt (a wrong sign, a missing delay, a swapped trace) makes the claim
# of the experiment fail that it names, or is refused: mutations.sh COMMAND EXPERIMENTS [PART PARTS]
# runs each, or every PARTS-th from PART.
part=${3:-1}
parts=${4:-1}
mutations=$(cd "$(dirname "$0")" && pwd)/mutations.txt
. "$(dirname "$0")/lib.sh"

count=0
while IFS='|' read -r name setting claim; do
    case $name in '' | '#'*) continue ;; esac
    count=$((count + 1))
    [ $((count % parts)) -eq $((part % parts)) ] || continue
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
    if [ "$code" -eq 1 ]; then
        tells ' diverged at trial ' # a mutation may overflow
    else
        succeeds
    fi
    for one in $claim; do
        check "$name with $* fails $one" \
            grep -q "{\"name\": \"$one\",.*\"pass\": false}" "mutated-$count/summary.json"
    done
done <"$mutations"
finish
