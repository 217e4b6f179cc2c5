# SPDX-License-Identifier: Apache-2.0
# Learning with very many synapses: its tables, that they repeat bit for bit but for the speed, and
# what it says when there is no memory for so many.
. "$(dirname "$0")/lib.sh"

cat >small.yaml <<'SPEC'
name: small
title: a small loop
step_ms: 10
loop:
  plant: {kind: chain, stages: [{name: body, kind: lag, time_constant_ms: 100}]}
  controller: {kind: pi, kp: 2, ki_per_s: 4}
  delay_ms: 60
task: {kind: step, at_s: 0.2, trial_s: 1}
basis: {kind: granule, count: 30, first_ms: 20, last_ms: 60}
learning: {mode: online, trials: 4}
guard: off
rules:
  - {name: fm, trace: forward-model}
scale: {sizes: [10, 30, 5000], trials: 3}
SPEC

# ---- tables -----------------------------------------------------------------------------------

cfpc run small.yaml --out a --quiet --no-figures
succeeds
check "the header" [ "$(head -n 1 a/scale.csv)" = \
    'synapses,lambda_max,rate,bytes_per_synapse,rrmse_1,rrmse_2,rrmse_3' ]
check "a row a size" [ "$(cut -d , -f 1 a/scale.csv | tr '\n' ' ')" = 'synapses 10 30 5000 ' ]
check "as many columns in each" [ "$(awk -F , '{ print NF }' a/scale.csv | uniq)" = 7 ]
check "speeds, a row a size" [ "$(cut -d , -f 1 a/speed.csv | tr '\n' ' ')" = \
    'synapses 10 30 5000 ' ]
check "all of them above 0" awk -F , 'NR > 1 { for (i = 1; i <= NF; i++) if (!($i > 0)) exit 1 }' \
    a/speed.csv
for file in scale.csv speed.csv; do
    check "$file is listed" grep -qx $file a/.cfpc-files
done

# A figure of a size in summary.json.
figure() { # figure SIZE NAME
    sed -n "/^  \"scale\": {/,/^  }/p" a/summary.json | sed -n "/^    \"$1\": {/,/^    }/p" |
        sed -n "s/^ *\"$2\": *\([^,]*\),*$/\1/p"
}
for size in 10 30 5000; do
    row=$(grep "^$size," a/scale.csv)
    check "$size: the rate" [ "$(figure $size rate)" = "$(echo "$row" | cut -d , -f 3)" ]
    check "$size: bytes" [ "$(figure $size bytes_per_synapse)" = \
        "$(echo "$row" | cut -d , -f 4)" ]
    check "$size: the last error" [ "$(figure $size rrmse_last)" = \
        "$(echo "$row" | cut -d , -f 7)" ]
done

# ---- twice ------------------------------------------------------------------------------------

cfpc run small.yaml --out b --quiet --no-figures
succeeds
cfpc run small.yaml --out c --quiet --no-figures --set scale.threads=2
succeeds
check "the same files" [ "$(ls -A a)" = "$(ls -A b)" ]
for file in $(ls -A a); do
    [ "$file" = speed.csv ] || check "$file repeats" same "a/$file" "b/$file"
done
check "on two threads, too" same a/scale.csv c/scale.csv

# ---- without memory ---------------------------------------------------------------------------

# With so many KB of address space.
within() { # within KILOBYTES ARGUMENTS...
    kilobytes=$1
    shift
    (ulimit -v "$kilobytes" && exec timeout 60 "$command" "$@") \
        >"$here/said" 2>"$here/told"
    code=$?
    ran="cfpc $* within $kilobytes KB"
}

# 4 million synapses with a line of 30 steps each need at least 600 MB.
(ulimit -v 450000) 2>/dev/null || skip 'memory cannot be limited here'
within 450000 run small.yaml --out d --quiet --no-figures
[ "$failures" -gt 0 ] || [ "$code" -eq 0 ] || skip 'a small run needs more, as with sanitizers'
check "the limit leaves the small run as it is" same a/scale.csv d/scale.csv
mkdir new
for sizes in '[4000000]' '[10, 4000000]'; do
    within 450000 run small.yaml --out new/x/y --quiet --no-figures --set loop.delay_ms=300 \
        --set 'loop.controller={kind: p, kp: 0.5}' --set "scale.sizes=$sizes"
    refuses 1 'memory ran out'
    check "nothing is left" is_empty new
done
finish
