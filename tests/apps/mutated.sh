# SPDX-License-Identifier: Apache-2.0
# Every claim of every experiment has a mutation in mutations.txt, every mutation names claims that there are, and none
# only cuts resources: mutated.sh EXPERIMENTS
set -u
experiments=$1
mutations=$(dirname "$0")/mutations.txt
failures=0

# What still lacks a mutation, and the experiments in which some only cut resources. These lists get shorter.
missing="cascade/at-once-flat cascade/flat cascade/hears-push microzone/few microzone/others microzone/shared-remains
purkinje/few purkinje/hundreds purkinje/memory purkinje/no-trace purkinje/rate purkinje/thousands purkinje/whole-cell
rivals/cfpc-delay rivals/cfpc-new rivals/features rivals/fel-delay rivals/kappa rivals/noise rivals/noise-norm
rivals/p-type rivals/p-type-grows rivals/p-type-never rivals/p-type-stays rivals/posture-cascade rivals/posture-fel-delay
rivals/posture-push rivals/preview rivals/preview-new rivals/recurrent two-joints/half"
cutting="cascade matched-delay microzone rivals two-joints"

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
        if is_among "$claim" "$mutated"; then
            ! is_among "$name/$claim" "$missing" || failed "$name/$claim has a mutation: take it from the list above"
        else
            is_among "$name/$claim" "$missing" || failed "$name: the claim '$claim' has no mutation"
        fi
    done
    for claim in $mutated; do
        is_among "$claim" "$claims refused" || failed "$name: there is no claim '$claim' to mutate"
    done
done

# Rates, trials, seeds and counts may be cut in the fourth field only, to be quick: see mutations.sh.
cuts='(rate|rate_fraction|rates|trials|seed|count|evaluations|cells|synapses|other_cells|other_synapses)'
found=$(awk -F'|' -v cuts="(^| ;; )([^=]*[.])?$cuts=" '!/^#/ && $2 ~ cuts { print $1 }' "$mutations" | sort -u)
[ "$(echo $found)" = "$cutting" ] || failed "mutations that only cut resources are of: $(echo $found); the list above says: $cutting"
[ "$failures" -eq 0 ]
