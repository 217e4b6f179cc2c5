# SPDX-License-Identifier: Apache-2.0
# An exported cell compiles alone and without a warning, and learns as `cfpc run` says that it does.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"
cc=${CC:-cc}
flags='-O0 -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Werror'

# ---- the folder -------------------------------------------------------------------------------

cfpc export short.yaml --out cell
succeeds
says "rule 'fm-et' of pursuit, float, 5 synapses, in cell"
says 'as in the spec, up to rounding'
for file in fm_et_model.h fm_et_model.c fm_et_example.c fm_et_loop.h fm_et_loop.c cfpc.h cfpc.c README.md; do
    check "the folder has $file" [ -s "cell/$file" ]
done
check "three lines are the user's" [ "$(grep -c 'YOURS (' cell/fm_et_example.c)" -eq 3 ]
check "the example is short" [ "$(wc -l <cell/fm_et_example.c)" -lt 50 ]
check "one is told to copy the example" grep -q '^// Copy it before you edit it: the next export with --force replaces it' cell/fm_et_example.c
check "README says so, too" grep -q '^edit it: the next export with --force replaces every file' cell/README.md
check "README has the flash" grep -q '^- flash: ' cell/README.md
check "README has the RAM" grep -q '^- RAM: .* stack$' cell/README.md
check "README has the instructions" grep -q '^- instructions per step' cell/README.md
check "it learns by traces: no adjoint form" grep -q '^#define CFPC_ADJOINT 0' cell/cfpc.h
cfpc export short.yaml --set learning.form=adjoint --set learning.neglect=0.01 --out other --name it
succeeds
check "it has the adjoint form" grep -q '^#define CFPC_ADJOINT 1' other/cfpc.h
$cc $flags -DCFPC_ADJOINT=0 -c other/it_model.c -o it.o 2>refused.txt && failed 'an adjoint cell compiles without its form'
check "the compiler says why" grep -q 'learns in adjoint form: compile with -DCFPC_ADJOINT=1' refused.txt
printf '%s\n' '#include "it_model.h"' '#include <stdio.h>' 'int main(void)' '{' '    puts(cfpc_status_message(it_start()));' \
    '    return 0;' '}' >starts.c
$cc $flags -Iother starts.c other/it_model.c cell/cfpc.c -o starts || failed 'two cells do not share a core'
check "it refuses to start" [ "$(./starts)" = 'the core was compiled without the adjoint form: needs CFPC_ADJOINT 1' ]
cp -R cell as_it_was
cfpc export short.yaml --out cell
refuses 2 'cell: holds a result already; --force replaces it, --out writes elsewhere'
check "it is as it was" diff -r cell as_it_was
cfpc export short.yaml --out cell --force --real double
succeeds
check "it was replaced" grep -q 'exported for double' cell/fm_et_model.c

# ---- agreement --------------------------------------------------------------------------------

for real in float double; do
    cfpc export short.yaml --out "core-$real" --real $real
    $cc $flags -DCFPC_ADJOINT=1 -c "core-$real/cfpc.c" -o "cfpc-$real.o" || failed "cfpc.c does not compile"
done

# The largest difference of the errors in two files of curves, relative to those of the second.
difference() { # difference OURS CURVES
    awk -F, 'NR == FNR { if (FNR == 1) rule = $2; else error[$1] = $2; count = FNR; next }
        FNR == 1 { for (i = 2; i <= NF; i++) if ($i == rule) column = i; next }
        $1 in error { seen++; d = ($column - error[$1]) / $column; d = d < 0 ? -d : d; if (!(d <= most)) most = d }
        END { print (column && seen == count - 1 && seen > 1 ? most + 0 : "nothing to compare") }' "$1" "$2"
}

# The precision of the command, in which it runs.
"$command" version | grep -q 'core precision.*double' && own=double || own=float

# The example of a spec with these settings learns as the run does. The tolerance of double is that of loops that
# learn by other sums of the same numbers (batch learning after the trial, shapes up to 2^-44): 1e-9. In float a sum of
# 600 squares has an error of at most 600 * 2^-24 = 4e-5, the loop's own rounding comes on top: 1e-3. A command built
# for float runs in float.
agrees() { # agrees REAL NAME SPEC WORDS...
    real=$1 name=$2 spec=$3
    shift 3
    rm -rf made
    if [ "$spec $*" != "${last_run-}" ]; then # the same run serves both precisions
        rm -rf ran
        cfpc run "$spec" "$@" --out ran --no-figures --quiet
        code=0 # claims and divergence are not the question
        last_run="$spec $*"
    fi
    cfpc export "$spec" "$@" --out made --real "$real" --name it
    succeeds
    $cc $flags made/it_example.c made/it_loop.c made/it_model.c "cfpc-$real.o" -o it || failed "$name does not compile"
    ./it >errors.csv || failed "$name does not run"
    most=$(difference errors.csv ran/curves.csv)
    check "$name in $real: it differs by $most" \
        awk -v most="$most" -v least="$([ "$real$own" = doubledouble ] && echo 1e-9 || echo 1e-3)" \
        'BEGIN { exit !(most + 0 == most && most <= least) }'
}

for form in traces adjoint; do
    for mode in online batch; do
        agrees double "$form $mode" short.yaml --set learning.form=$form --set learning.neglect=0.01 --set learning.mode=$mode --set guard=on
    done
    agrees float "$form" short.yaml --set learning.form=$form --set learning.neglect=0.01 --set learning.mode=batch --set guard=on
    agrees double "$form without reset" short.yaml --set learning.form=$form --set learning.neglect=0.01 --set learning.mode=online --set task.reset=no
done
agrees double 'a guard that acts on line' short.yaml --rule wh --set guard=on --set learning.mode=online --set learning.trials=30
check "it has acted" grep -q '"guard_trial": [1-9]' ran/summary.json
light='{kind: chain, stages: [{kind: leaky-integrator, time_constant_ms: 100}, {kind: lag, time_constant_ms: 3}]}'
heavy='{kind: chain, stages: [{kind: leaky-integrator, time_constant_ms: 200, gain: 0.5}, {kind: lag, time_constant_ms: 3}]}'
for real in double float; do # the cell of the light one, on a machine that is twice as heavy
    agrees $real 'a load that the model does not know' short.yaml --set guard=on --set "loop.plant=$heavy" --set "believed.plant=$light" \
        --set learning.trials=20
    check "the guard does not act" [ "$(grep -c '"times": [1-9]' ran/summary.json)" -eq 0 ]
    check "it learns" awk -F, 'END { exit !($2 < 0.1) }' errors.csv
done
agrees double 'a delay' short.yaml --rule wh+50ms
agrees double 'a whitened trace' short.yaml --set rules.fm-et.trace=whitened --set learning.neglect=0.01
agrees double 'an update with all of it' short.yaml --set rules.fm-et.leak=0.01 --set rules.fm-et.momentum=0.2 \
    --set rules.fm-et.output_penalty=0.01 --set olive.gain=0.1 --set olive.delay_ms=20 --set teach.sign=rectified
agrees double 'a preconditioned update' short.yaml --set rules.fm-et.update=preconditioned
agrees double 'a normalised update' short.yaml --set rules.fm-et.update=normalised --set learning.mode=online
agrees double 'one basis signal per step' short.yaml --set step_ms=5 --set 'basis={kind: identity}'
agrees double 'banks that a cue begins' short.yaml --set 'cues=[{name: tone, at_s: 0.05}]' \
    --set 'basis=[{kind: alpha, count: 3, first_ms: 20, last_ms: 200, cue: tone}, {kind: raised-cosine, count: 4, width_ms: 60, spacing_ms: 60, first_ms: 50, cue: tone}]'

driven='basis=[{kind: tapped-delay, count: 4, spacing_ms: 50, input: reference, preview_ms: 60}, {kind: gaussian, count: 3, width_ms: 50, spacing_ms: 200}, {kind: derivatives, count: 2, input: reference, preview_ms: 60}, {kind: leaky-cascade, count: 2, time_constant_ms: 30, input: measurement}]'
agrees double 'driven banks' short.yaml --set "$driven"
agrees float 'driven banks' short.yaml --set "$driven"
check "taps are a ring" grep -q 'cfpc_real past\[151\]; // a ring' made/it_model.c
check "and nothing but the derivatives is a matrix" [ "$(grep -c '_matrix\[\]' made/it_model.c)" -eq 1 ]
agrees double 'driven banks in adjoint form' short.yaml --set "$driven" --set learning.form=adjoint --set learning.neglect=0.01
agrees double 'a disturbance that is heard, and teaches' short.yaml \
    --set 'disturbances=[{name: push, kind: step, at_s: 0.2, to: 0.5, at: plant-input}, {name: shift, kind: step, at_s: 0.3, to: 0.1, at: plant-output}]' \
    --set 'basis={kind: laguerre, count: 5, time_constant_ms: 30, input: disturbance, source: push}' --set teach.signal=disturbance \
    --set olive.gain=1 --set olive.delay_ms=30
agrees double 'the command that teaches' short.yaml --set teach.signal=command --set enters=plant-input
agrees double 'the measured error, late' short.yaml --set teach.signal=measured-error --set teach.delay_ms=20 \
    --set loop.measurement_delay_ms=10 --set teach.reference_delay_ms=10
agrees double 'a command that saturates, and an output with limits' short.yaml --set 'loop.saturation={low: -5, high: 12}' \
    --set 'loop.output={low: -0.1, high: 0.99}' --set guard=on
agrees double 'a feed-forward path' short.yaml --set 'loop.feedforward={kind: p, kp: 3}' --set enters=feedforward-input
agrees double 'trials that differ' short.yaml --set learning.mode=online --set \
    'task={kind: sinusoids, components: [[0.7, 1, 0], [1.3, 0.5, 40]], trial_s: 0.6, repeats: no, reset: no}'
awk 'BEGIN { for (n = 0; n < 2400; n++) print sin(n / 100) "," cos(n / 70) }' >x.csv
agrees double 'basis signals that are handed in' short.yaml --set learning.mode=online --set 'basis={kind: csv, file: x.csv}' --set \
    'task={kind: sinusoids, components: [[0.7, 1, 0]], trial_s: 0.6, repeats: no, reset: no}'

cat >turning.yaml <<'END'
name: turning
title: a machine that turns
step_ms: 10
loop:
  plant: {kind: state-space, discrete: yes, a: [[0.9]], b: [0.1], c: [1]}
  controller: {kind: p, kp: 0.8}
enters: plant-input
task: {kind: step, at_s: 0, to: 2, trial_s: 0.5, reset: no}
angle: {turns: 1.5, start: -3.25}
disturbances:
  - {name: cogging, kind: harmonics, harmonics: [[2, 0.9, 30], [3, 0.4, -80]]}
  - {name: wobble, kind: harmonics, harmonics: [[1, 0.05, 10]], at: plant-output}
basis: {kind: periodic, count: 8, width_turns: 0.2, input: angle}
guard: off
learning: {mode: online, trials: 6}
rules: [{name: cfpc, trace: none, rate: 0.2}]
END
agrees double 'the angle of a machine' turning.yaml
agrees float 'the angle of a machine' turning.yaml
agrees double 'an angle that is read in counts, a position' turning.yaml --set angle.output=position --set angle.counts=50 \
    --set task.reset=yes --set 'disturbances=[]'
cfpc export turning.yaml --out turning
check "a name of its own where the rule is called as the library" [ -s turning/cell_cfpc_model.c ]
check "it is told the angle" grep -qx 'cfpc_real cell_cfpc_act(cfpc_real turns);' turning/cell_cfpc_model.h

# ---- trained weights --------------------------------------------------------------------------

cfpc run short.yaml --out trained --no-figures --quiet --trials 6
last=$(awk -F, 'END { print $2 }' trained/curves.csv)
for words in --set=learning.trials=4 --frozen; do
    rm -rf made
    cfpc export short.yaml --out made --real double --name it --weights trained $words
    succeeds
    $cc $flags made/it_example.c made/it_loop.c made/it_model.c cfpc-double.o -o it
    ./it >errors.csv
    # After the last trial the run learns once more: the first error here is at most the last there.
    check "it begins where the run ended" awk -F, -v last="$last" 'NR == 2 { exit !($2 <= 1.001 * last) }' errors.csv
    mv errors.csv "errors${words%%=*}.csv"
done
check "a frozen cell learns nothing" [ "$(sed 1d errors--frozen.csv | cut -d, -f2 | sort -u | wc -l)" -eq 1 ]
check "the other one does" [ "$(sed 1d errors--set.csv | cut -d, -f2 | sort -u | wc -l)" -eq 4 ]
cfpc export short.yaml --out no --frozen
refuses 2 '--frozen needs --weights RUN'
cfpc export short.yaml --out no --weights nowhere
refuses 2 'nowhere: holds no weights.csv'
cfpc export short.yaml --out no --weights ''
refuses 2 "--weights '': holds no weights.csv"
cfpc export short.yaml --out no --weights trained/weights.csv
refuses 2 "--weights 'trained/weights.csv' is a file: give the folder of the run"
# What makes the cell must be the same; how fast and how long it learns need not.
for setting in loop.delay_ms=70 basis.width_ms=90 step_ms=2 rules.fm-et.trace=none task.trial_s=0.7; do
    key=${setting%=*}
    cfpc export short.yaml --out no --weights trained --set $setting
    refuses 2 "trained: these weights are of another cell: \`$key\` differs from that in trained/spec.yaml"
done
cfpc export short.yaml --out slower --weights trained --set rules.fm-et.rate=1e-3
succeeds
cfpc export trained/spec.yaml --out again --weights trained
succeeds
cfpc export "$pursuit" --out no --weights trained
refuses 2 'trained: these weights are of another cell: `'
# A rule that diverged does not block the others.
cfpc run short.yaml --out apart --no-figures --quiet --set guard=off --set rules.wh.rate=1e200
check "it diverged" grep -q 'nan\|inf' apart/weights.csv
cfpc export short.yaml --out beside --weights apart --set guard=off --set rules.wh.rate=1e200
succeeds
cfpc export short.yaml --out no --weights apart --rule wh --set guard=off --set rules.wh.rate=1e200
refuses 2 "rule 'wh' diverged in that run"

# ---- values that are found when it runs -------------------------------------------------------

tuned() { # tuned NAME WORDS...: the result's spec has what was found
    name=$1
    shift
    rm -rf made ran
    cfpc export short.yaml "$@" --out no
    refuses 2 "gives rule 'fm-et' its $name only when it runs: run it, and export the spec.yaml of the result"
    cfpc run short.yaml "$@" --out ran --no-figures --quiet
    cp ran/spec.yaml alone.yaml
    cfpc export alone.yaml --out no
    refuses 2 'only when it runs'
    cfpc export ran/spec.yaml --out made --real double --name it
    succeeds
    $cc $flags made/it_example.c made/it_loop.c made/it_model.c cfpc-double.o -o it
    ./it >errors.csv
    most=$(difference errors.csv ran/curves.csv)
    check "the $name that was found: it differs by $most" awk -v most="$most" 'BEGIN { exit !(most + 0 == most && most <= 1e-3) }'
    cfpc export ran/spec.yaml --out made --force --weights ran
    succeeds
}
tuned values --set tune.evaluations=4 --set 'rules.fm-et.tune=[{key: rate_fraction, low: 0.01, high: 0.5}]'
tuned rate --set 'tune.rate_fractions=[0.01, 0.1, 0.3]' --set rules.fm-et.scan=yes

# ---- phases -----------------------------------------------------------------------------------

phases='phases=[{name: slow, trials: 2}, {name: fast, trials: 3, set: {loop.delay_ms: 60}}]'
cfpc run short.yaml --out phases --no-figures --quiet --set "$phases"
cfpc export short.yaml --out phased --set "$phases" --weights phases
succeeds
for words in 'phase 1 of 2: slow; the others are not exported' 'weights: those at the end of the run, after its last phase, fast'; do
    says "$words"
    check "README says: $words" grep -qx -- "- $words" phased/README.md
done
sed 's/name: fm-et/name: other/' short.yaml >renamed.yaml
cfpc export renamed.yaml --out no --weights trained
refuses 2 "trained: has no weights of rule 'other'"

# ---- files ------------------------------------------------------------------------------------

for real in float double; do
    cfpc export short.yaml --as bin --out "bin-$real" --real $real --weights trained
    succeeds
    cfpc inspect "bin-$real/fm_et.model"
    succeeds
    says 'fm_et.model: a model of cfpc'
    check "its precision" grep -qx "  precision        $real" said
    check "its synapses" grep -qx '  synapses         5' said
    check "its basis" grep -qx '  basis            a table of 600 steps' said
    check "its checksum" grep -q '^  checksum .*, right$' said
    sed -n 's/^  checksum *\([0-9a-f]*\),.*/\1/p' said >checksum
    cfpc inspect "bin-$real/fm_et.data"
    succeeds
    check "its weights" grep -q '^  weights          5, from ' said
    says "with checksum $(cat checksum)"
done
cfpc export short.yaml --as bin --out bin-adjoint --set learning.form=adjoint --set learning.neglect=0.01 --set guard=on
cfpc inspect bin-adjoint/fm_et.model
says 'in adjoint form: teaching filter of'
says 'past inputs in the basis table'
check "its guard" grep -q '^  guard            on: knows the loop alone from a model and from pauses, factor 1.5, window ' said
cp bin-float/fm_et.model damaged
printf 'x' | dd of=damaged bs=1 seek=200 conv=notrunc 2>dd.txt
cfpc inspect damaged
refuses 2 "damaged: the image's checksum is wrong: it was altered or damaged"
head -c 100 bin-float/fm_et.model >damaged
cfpc inspect damaged
refuses 2 'damaged: the image is truncated'
: >damaged
cfpc inspect damaged
refuses 2 'damaged: is not a model or data file of cfpc'
cfpc inspect short.yaml
refuses 2 'short.yaml: is not a model or data file of cfpc'
(cat bin-float/fm_et.data && printf xyz) >damaged
cfpc inspect damaged
refuses 2 'damaged: has 3 bytes too many'
cfpc inspect nowhere
refuses 2 'nowhere: No such file'
cfpc inspect .
refuses 2 './summary.json: No such file or directory; a result is a folder that '
cfpc inspect
refuses 2 'this needs a model or data file, or a result folder'

# ---- what does not fit ------------------------------------------------------------------------

cfpc export short.yaml --out no --flash 2k
refuses 2 "of code); --flash says that there are 2048"
cfpc export short.yaml --out no --ram 1k
refuses 2 "of stack); --ram says that there are 1024"
for size in 0 -1 k 64q '' nan 1e99; do
    cfpc export short.yaml --out no --flash "$size"
    refuses 2 "--flash must be a positive number of bytes, such as 64k; this is '$size'"
done
for kind in bin fmu; do
    cfpc export short.yaml --out no --as $kind --flash 64k
    refuses 2 '--flash and --ram are for --as c'
done
cfpc export kernel --rule positive --out no
refuses 2 'bytes of flash, more than 4194304: its trace has'
cfpc export short.yaml --out sum --set "$driven"
check "the parts of the flash are all of it" awk '/^- flash: / { split($0, part, /[()]/); n = split(part[2], of, /, /)
    for (i = 1; i <= n; i++) { m = split(of[i], word, " "); sum += word[m] } exit !(n == 3 && sum == $3) }' sum/README.md
between=$(sed 's/spacing_ms: 100/spacing_ms: 50.3/; s/count: 5/count: 9/' short.yaml)
echo "$between" >between.yaml
needed() { # as it said
    sed -n 's/^  flash: \([0-9]*\) bytes of constants.* about \([0-9]*\) of code/\1 \2/p' said | awk '{ print $1 + $2 }'
}
cfpc export between.yaml --out whole
check "nine shapes" grep -q '^  basis signals: 9 shapes' said
cfpc export between.yaml --out parts --flash $(($(needed) - 1))
succeeds
check "one shape, and its error" grep -q '1 shape, .* they differ from the spec.s by at most [0-9.e-]* of the largest' said
check "README says so, too" grep -q 'they differ from the spec.s by at most' parts/README.md
rm -rf made
cfpc run between.yaml --out ran-between --no-figures --quiet
cfpc export between.yaml --out whole --force --real double
cfpc export between.yaml --out made --name it --real double --flash $(($(needed) - 1))
$cc $flags made/it_example.c made/it_loop.c made/it_model.c cfpc-double.o -o it
./it >errors.csv
most=$(difference errors.csv ran-between/curves.csv) # the shapes differ by (1 ms / 50 ms)²/8 = 5e-5
check "interpolated shapes learn as well: it differs by $most" awk -v most="$most" 'BEGIN { exit !(most > 0 && most < 1e-3) }'

# ---- what cannot run on a target --------------------------------------------------------------

cannot() { # cannot WORDS SETTING...
    words=$1
    shift
    cfpc export short.yaml --out no "$@"
    refuses 2 "$words"
}
cannot '`q_hz` of rule' --set 'basis={kind: identity}' --set rules.fm-et.q_hz=5
cannot '`teach.noise` is simulated' --set teach.noise=0.1
cannot '`teach.spikes` is simulated' --set 'teach.spikes={rate_hz: 10, scale: 1}'
cannot '`teach.delay_end_ms` is simulated' --set teach.delay_ms=0 --set teach.delay_end_ms=20 --set learning.mode=online --set task.reset=no
cannot '`learning.frozen` nothing is learned' --set learning.frozen=yes
cannot '`basis.kind: granule` is a simulated layer' --set 'basis={kind: granule, count: 5, first_ms: 20, last_ms: 100}'
for experiment in 'cascade input: prediction' 'learned-model believed.model: learned' 'ringing tune' 'rivals tune'; do
    cfpc export "${experiment%% *}" --out no
    refuses 2 "${experiment#* }\`"
done

# ---- bad words --------------------------------------------------------------------------------

cfpc export
refuses 2 'this needs the name of an experiment'
cfpc export short.yaml --rule hebb
refuses 2 "pursuit has no rule 'hebb'; it may be fm-et, wh, wh+50ms, wh+70ms"
cfpc export short.yaml --out no --as pdf
refuses 2 "--as must be c, bin or fmu; this is 'pdf'"
cfpc export short.yaml --out no --real half
refuses 2 "--real must be float or double; this is 'half'"
for name in 1st a-b '' 'a b' é _x; do
    cfpc export short.yaml --out no --name "$name"
    refuses 2 "--name '$name' is not a C identifier"
done
cfpc export short.yaml --out no --name cfpc_cell
refuses 2 "names that begin with 'cfpc' are the library's own"
: >file
cfpc export short.yaml --out file
refuses 2 'file: exists and is not a folder'
mkdir empty && ln -s empty link
cfpc export short.yaml --out link
refuses 2 'link: is a symbolic link; use the folder that it leads to as --out'
CFPC_FIRMWARE=$here/nowhere cfpc export short.yaml --out no
refuses 2 'nowhere/cfpc.h'
check "nothing was written" [ ! -e no ]
finish
