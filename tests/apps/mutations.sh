# SPDX-License-Identifier: Apache-2.0
# Each mutation named in mutations.txt (a wrong sign, a missing delay, a swapped trace) makes the claim
# of the experiment fail that it names, or is refused: mutations.sh COMMAND EXPERIMENTS [PART PARTS [NAME...]]
# runs each, or every PARTS-th from PART, or those of experiments of these names. With CFPC_TURN=N, a number, it runs a
# quarter of them, which N chooses. Cuts of rates, trials or counts, which make a run short, stand in a fourth
# field: with them alone the claims hold. Learning must run: the figure is a number, and not that of the loop alone, the
# guard has stopped nothing, and nothing overflows. A fifth field names claims of which one of that is the failure, and
# says why: null CLAIMS: WHY ;; diverges CLAIMS: WHY
part=${3:-1}
parts=${4:-1}
only=" $([ $# -le 4 ] || { shift 4; echo "$*"; }) "
mutations=$(cd "$(dirname "$0")" && pwd)/mutations.txt
. "$(dirname "$0")/lib.sh"

# A whole Purkinje cell takes too long here.
cp -r "$(dirname "$pursuit")" specs
fewer_synapses specs/purkinje.yaml
export CFPC_EXPERIMENTS="$here/specs"

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

is_number() { # is_number FOLDER CLAIM
    ! grep -q "{\"name\": \"$2\",.*\"measured\": null," "$1/summary.json"
}

# An rRMSE within a thousandth of 1 is that of the loop alone, an amplitude of 0 that of a cell that does nothing.
has_learned() { # has_learned FOLDER CLAIM
    sed -n "s/.*{\"name\": \"$2\",.*\"measure\": \"\([^\"]*\)\", \"measured\": \([^,]*\),.*/\1 \2/p" \
        "$1/summary.json" | awk '/[.]rrmse/ && $2 != "null" && $2 > 0.999 && $2 < 1.001 { exit 1 }
            /[.]amplitude/ && $2 == 0 { exit 1 }'
}

is_marked() { # is_marked null|diverges CLAIM
    printf '%s\n' "$why" | sed 's/ ;; /\n/g' | sed -n "s/^$1 \([^:]*\): ..*/\1/p" | tr ' ' '\n' | grep -qxF -- "$2"
}

count=0
while IFS='|' read -r name setting claims cuts why; do
    case $name in '' | '#'*) continue ;; esac
    count=$((count + 1))
    [ $((count % parts)) -eq $((part % parts)) ] || continue
    [ -z "${CFPC_TURN:-}" ] || [ $(((count / parts + CFPC_TURN) % 4)) -eq 0 ] || continue
    case $only in '  ' | *" $name "*) ;; *) continue ;; esac
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
    case $why in
    *diverges\ *)
        ends 1
        tells ' diverged at trial '
        ;;
    *) succeeds ;;
    esac
    check "the guard stops nothing" [ "$(grep -c 'learning stopped' said)" -eq 0 ]
    for claim in $claims; do
        check "$name with $setting fails $claim" is "mutated-$count" "$claim" false
        is_marked null "$claim" || is_marked diverges "$claim" ||
            check "$name with $setting gives $claim a number" is_number "mutated-$count" "$claim"
        check "$name with $setting learns, as to $claim" has_learned "mutated-$count" "$claim"
    done
done <"$mutations"
finish
