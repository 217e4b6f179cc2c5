# SPDX-License-Identifier: Apache-2.0
# Each mutation named in mutations.txt (a wrong sign, a missing delay, a swapped trace) makes the claim
# of the experiment fail that it names, or is refused: mutations.sh COMMAND EXPERIMENTS [PART PARTS]
# runs each, or every PARTS-th from PART. Cuts of rates, trials or counts, which make a run short, stand in a fourth
# field: with them alone the claims hold.
part=${3:-1}
parts=${4:-1}
mutations=$(cd "$(dirname "$0")" && pwd)/mutations.txt
. "$(dirname "$0")/lib.sh"

# Settings of rules that have nothing to do with each other stand in one line.
run_with() { # run_with FOLDER 'SETTING ;; SETTING'
    folder=$1 rest=$2
    set --
    while [ -n "$rest" ]; do
        set -- "$@" --set "${rest%% ;; *}"
        case $rest in *' ;; '*) rest=${rest#* ;; } ;; *) rest= ;; esac
    done
    cfpc run "$name" "$@" --no-figures --out "$folder"
}

is() { # is FOLDER CLAIM true|false
    grep -q "{\"name\": \"$2\",.*\"pass\": $3}" "$1/summary.json"
}

count=0
while IFS='|' read -r name setting claims cuts; do
    case $name in '' | '#'*) continue ;; esac
    count=$((count + 1))
    [ $((count % parts)) -eq $((part % parts)) ] || continue
    if [ -n "$cuts" ]; then
        run_with "cut-$count" "$cuts"
        for claim in $claims; do
            check "$name with $cuts alone holds $claim" is "cut-$count" "$claim" true
        done
    fi
    run_with "mutated-$count" "$setting${cuts:+ ;; $cuts}"
    if [ "$claims" = refused ]; then
        ends 2
        continue
    fi
    if [ "$code" -eq 1 ]; then
        tells ' diverged at trial ' # a mutation may overflow
    else
        succeeds
    fi
    for claim in $claims; do
        check "$name with $setting fails $claim" is "mutated-$count" "$claim" false
    done
done <"$mutations"
finish
