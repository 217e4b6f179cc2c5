# SPDX-License-Identifier: Apache-2.0
# cfpc check finds every experiment fine. What cfpc show prints of one, beside the files it may name, runs as it does:
# a few trials show it, as every setting is in use from the first one. Of those in $long, whose set-ups alone take
# seconds, what is shown is read to the same spec (apps.show, lab.show).
long="cascade microzone ringing rivals two-joints"
specs=$(cd "$2" && pwd)
. "$(dirname "$0")/lib.sh"

for spec in "$specs"/*.yaml; do
    cfpc check "$spec"
    succeeds
done

cp -R "$specs" specs
fewer_synapses specs/purkinje.yaml
few_trials specs/*.yaml
for name in $long; do
    rm "specs/$name.yaml"
done
for spec in specs/*.yaml; do
    name=$(basename "$spec" .yaml)
    cfpc show "$spec"
    succeeds
    cp said "specs/$name-shown.yaml"
    cfpc run "$spec" --out "$name" --quiet --no-figures
    cfpc run "specs/$name-shown.yaml" --out "$name-shown" --quiet --no-figures
    check "$name: what is shown runs the same" same "$name/hashes.csv" "$name-shown/hashes.csv"
    rm -rf "specs/$name-shown.yaml"
done
finish
