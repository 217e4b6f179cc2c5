# SPDX-License-Identifier: Apache-2.0
# Every experiment that comes with cfpc: its claims hold, and each mutation named in mutations.txt (a
# wrong sign, a missing delay, a swapped trace) makes the claim fail that it names, or is refused.
mutations=$(cd "$(dirname "$0")" && pwd)/mutations.txt
. "$(dirname "$0")/lib.sh"

for name in $("$command" list | awk '{ print $1 }'); do
    cfpc run "$name" --no-figures --out "whole-$name"
    succeeds
    check "$name has claims" grep -q '"pass": true' "whole-$name/summary.json"
    check "all of $name hold" [ "$(grep -c '"pass": false' "whole-$name/summary.json")" -eq 0 ]
done

[ -z "${CFPC_QUICK:-}" ] || finish # under sanitizers that is enough

count=0
while IFS='|' read -r name setting claim; do
    case $name in '' | '#'*) continue ;; esac
    count=$((count + 1))
    cfpc run "$name" --set "$setting" --no-figures --out "mutated-$count"
    if [ "$claim" = refused ]; then
        ends 2
        continue
    fi
    succeeds
    check "$name with $setting fails $claim" \
        grep -q "{\"name\": \"$claim\",.*\"pass\": false}" "mutated-$count/summary.json"
done <"$mutations"
finish
