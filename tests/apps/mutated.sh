# SPDX-License-Identifier: Apache-2.0
# Every claim of every experiment has a mutation in mutations.txt, every mutation names claims that there are, and none
# only cuts resources: mutated.sh EXPERIMENTS
set -u
experiments=$1
mutations=$(dirname "$0")/mutations.txt
failures=0

failed() {
    failures=$((failures + 1))
    echo "FAILED: $*"
}

is_among() { # is_among WORD WORDS
    case " $(echo $2) " in *" $1 "*) ;; *) return 1 ;; esac
}

for spec in "$experiments"/*.yaml; do
    name=$(basename "$spec" .yaml)
    claims=$(awk '/^claims:/ { inside = 1; next } /^[a-z]/ { inside = 0 } inside && /^  - name:/ { print $3 }' "$spec")
    mutated=$(awk -F'|' -v name="$name" '$1 == name { print $3 }' "$mutations")
    [ -n "$claims" ] || failed "no claims were found in $spec"
    for claim in $claims; do
        is_among "$claim" "$mutated" || failed "$name: the claim '$claim' has no mutation"
    done
    for claim in $mutated; do
        is_among "$claim" "$claims refused" || failed "$name: there is no claim '$claim' to mutate"
    done
done

# Rates, trials, seeds and counts may be cut in the fourth field only, to be quick: see mutations.sh. In a map, where a
# basis needs its count, it is that of the spec.
cuts='(rate|rate_fraction|rates|trials|seed|count|evaluations|cells|synapses|other_cells|other_synapses|probe)'
grep -vE '^(#|$)' "$mutations" >"${TMPDIR:-/tmp}/mutations-$$"
while IFS='|' read -r name setting rest; do
    printf '%s\n' "$setting" | grep -qE "(^| ;; )([^= ]*[.])?$cuts=" && failed "$name only cuts resources: $setting"
    while IFS= read -r nested; do
        [ -z "$nested" ] || grep -qE "(^|[^a-z_])$nested([^0-9.]|\$)" "$experiments/$name.yaml" ||
            failed "$name cuts '$nested' in $setting"
    done <<EOF
$(printf '%s\n' "$setting" | grep -oE "[{, ]([a-z_.-]*[.])?$cuts: *[^],} ]+" | sed 's/^[{, ]//; s/^[a-z_.-]*[.]\([a-z_]*:\)/\1/')
EOF
done <"${TMPDIR:-/tmp}/mutations-$$"
rm -f "${TMPDIR:-/tmp}/mutations-$$"
[ "$failures" -eq 0 ]
