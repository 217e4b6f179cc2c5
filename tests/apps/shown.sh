# SPDX-License-Identifier: Apache-2.0
# cfpc check finds every experiment fine. What cfpc show prints of one, beside the files it may name, runs as it does:
# a few trials show it, as every setting is in use from the first one.
specs=$(cd "$2" && pwd)
. "$(dirname "$0")/lib.sh"

for spec in "$specs"/*.yaml; do
    cfpc check "$spec"
    succeeds
done

cp -R "$specs" specs
fewer_synapses specs/purkinje.yaml
few_trials specs/*.yaml
for spec in specs/*.yaml; do
    name=$(basename "$spec" .yaml)
    cfpc show "$spec"
    succeeds
    cp said "specs/$name-shown.yaml"
    cfpc run "$spec" --out "$name" --quiet --no-figures
    cfpc run "specs/$name-shown.yaml" --out "$name-shown" --quiet --no-figures
    check "$name: what is shown runs the same" same "$name/curves.csv" "$name-shown/curves.csv"
    check "$name: in all signals" same "$name/signals.csv" "$name-shown/signals.csv"
    rm -rf "specs/$name-shown.yaml"
done
finish
