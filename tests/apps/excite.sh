# SPDX-License-Identifier: Apache-2.0
# cfpc excite: what it says and leaves, that the probe does what it should, and what it refuses.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"
sed -i 's/^step_ms: 1$/step_ms: 5/' short.yaml # a fifth of the steps
examine=$(cd "$(dirname "$0")" && pwd)/excite.py

excite() {
    cfpc excite short.yaml "$@"
}

# Whether a probe is as it should be: examined WHAT FOLDER WORDS...
examined() {
    python3 "$examine" "$@" || failed "$1 of $2"
}

# The value of a key: figure FOLDER KEY
figure() {
    sed -n "s/^  \"$2\": \(.*[^,]\),*\$/\1/p" "$1/probe.json"
}

command -v python3 >/dev/null || skip 'python3 is not installed'

# ---- what it says and leaves ------------------------------------------------------------------

excite --rms 0.02 --noise 0.01
succeeds
says 'pursuit: Smooth pursuit'
says 'add it to                            the reference'
says 'band                                 1.667 to '
says ', where the basis signals have power'
says 'rms of the output                    0.02 ('
says 'noise within the band '
says ' from --noise'
says 'cfpc identify LOG.csv --input r --output y --step-ms 5 --out model.yaml'
says 'data:    out/pursuit-probe/probe.csv, probe.h (C table), probe.json'
if command -v gnuplot >/dev/null; then
    check "these files and no others" [ "$(LC_ALL=C ls out/pursuit-probe | tr '\n' ' ')" = \
        'fig-probe.csv fig-probe.gp fig-probe.png fig-probe.svg probe.csv probe.h probe.json spec.yaml ' ]
fi
check "nothing beside it" [ "$(ls -A out)" = pursuit-probe ]
check "it is JSON" python3 -m json.tool out/pursuit-probe/probe.json /dev/null
examined spectrum out/pursuit-probe

# The same words, the same probe; another seed, another. The default folder is replaced silently.
cp out/pursuit-probe/probe.csv first.csv
excite --rms 0.02 --noise 0.01 --no-figures
succeeds
check "it repeats" same first.csv out/pursuit-probe/probe.csv
check "no figure" [ ! -e out/pursuit-probe/fig-probe.gp ]
excite --rms 0.02 --noise 0.01 --no-figures --seed 3
succeeds
check "another seed gives another" [ "$(same first.csv out/pursuit-probe/probe.csv; echo $?)" = 1 ]
examined spectrum out/pursuit-probe
# A slow probe is drawn in mHz.
excite --low-hz 0.02 --high-hz 0.08 --seconds 200 --out millihertz
succeeds
check "in mHz" grep -qF 'set xlabel "frequency (mHz)"' millihertz/fig-probe.gp
check "with room for the labels" grep -qx 'set xtics 20' millihertz/fig-probe.gp
check "the data are in Hz" grep -q '^0.02' millihertz/fig-probe.csv
excite --out mine --no-figures
succeeds
check "2 % of the task's output by default" python3 -c \
    "assert abs($(figure mine output_rms) - 0.02 * $(figure mine task_rms)) < 1e-12"
excite --out mine --no-figures
refuses 2 'mine: holds a result already; --force replaces it'
excite --out mine --no-figures --force --seconds 5
succeeds
check "it is replaced" python3 -c "assert 4.9 < $(figure mine seconds) <= 5"

# The band and the length as given.
excite --low-hz 2 --high-hz 40 --seconds 8 --out band --no-figures
succeeds
says 'band                                 2 to 40 Hz'
! grep -q 'where the basis' said || failed "it names the basis"
examined spectrum band

# The length grows by default as far as the band needs.
excite --low-hz 0.05 --out slow --no-figures
succeeds
says 'length                               2 periods of 20 s: 40 s, 8000 steps'

without_gnuplot
excite --out undrawn
as_before
succeeds
check "data and script are there" [ -s undrawn/fig-probe.gp ]
check "no picture" [ ! -e undrawn/fig-probe.png ]

# ---- what it does to the loop -----------------------------------------------------------------

# A run that plays the column r has the output asked for and expected.
play() { # play FOLDER SETTING...
    folder=$1
    shift
    cfpc run short.yaml --trials 1 --out "played-$folder" --quiet --no-figures "$@"
    ends 0
}
excite --rms 0.02 --seconds 5 --out probe --no-figures
play probe --set "task={kind: csv, file: $here/probe/probe.csv, column: r, trial_s: $(figure probe seconds)}"
examined played probe played-probe/signals.csv 0.02

# One that enters at the plant's input is a disturbance there.
excite --rms 0.02 --seconds 5 --out push --no-figures --set enters=plant-input
succeeds
says 'add it to                            the command'
says 'cfpc identify LOG.csv --input probe --output y'
check "there is no reference" [ "$(cut -d , -f 3 push/probe.csv | sort -u | tr '\n' ' ')" = '0 r ' ]
play push --set "task={kind: step, at_s: 0, from: 0, to: 0, trial_s: $(figure push seconds)}" \
    --set "disturbances=[{name: probe, kind: csv, at: plant-input, file: $here/push/probe.csv, column: probe}]"
examined played push played-push/signals.csv 0.02
examined spectrum push

# The command's limits.
excite --rms 0.02 --out limits --no-figures --set 'loop.saturation={low: -0.1, high: 100}'
succeeds
says 'WARNING: the command exceeds loop.saturation.low, -0.1'
! grep -q 'saturation.high' said || failed "it warns of the other limit"
check "saturates" [ "$(figure limits saturates)" = true ]

# ---- the accuracy -----------------------------------------------------------------------------

excite --out unknown --no-figures
succeeds
says 'unknown: set loop.noise in the spec, or give --noise'
check "no figure of it" [ "$(figure unknown error)" = null ]
excite --out known --no-figures --set loop.noise.measurement=0.01
succeeds
says ' from loop.noise'
# By the formula of docs/identify.md for white noise: √(2 lines σ²/(n rms²)), n half of the steps.
excite --out white --no-figures --noise 0.01 --rms 0.05
check "as the formula says" python3 -c "
import json, math
it = json.load(open('white/probe.json'))
wanted = math.sqrt(2 * it['lines']['count'] * 0.01**2 / (it['steps'] / 2 * 0.05**2))
assert abs(it['error'] - wanted) < 1e-9 * wanted, (it['error'], wanted)"

# ---- from the probe to a model ----------------------------------------------------------------

# The probe, played with noise and logged; the model that is identified from the log, believed. At so short a step
# the probe is known from its past but for rounding: that it repeats is no reaction to the output.
sed -i 's/^step_ms: 5$/step_ms: 2/' short.yaml
chain() {
    excite --no-figures --seconds 8 --low-hz 0.5 --high-hz 8 --rms 0.02 --set loop.noise.measurement=0.01 "$@"
    succeeds
}
chain --out asked
play asked --set "task={kind: csv, file: $here/asked/probe.csv, column: r, trial_s: $(figure asked seconds)}" \
    --set loop.noise.measurement=0.01
cfpc identify played-asked/signals.csv --input r --output m_first --out model.yaml --no-figures
ends 0
chain --out answered --set "believed={model: identified, file: $here/model.yaml}"
examined identified asked answered
check "the command is that of the loop" grep -q '^time_s,probe,r,y,u$' answered/probe.csv
chain --out alone --set "loop={model: identified, file: $here/model.yaml}"
says 'command                              not known: the loop was identified as a whole'
check "the command is not known" grep -q '^time_s,probe,r,y$' alone/probe.csv
check "nor its range" [ "$(figure alone command_low)" = null ]
sed -i 's/^step_ms: 2$/step_ms: 5/' short.yaml

# ---- the C table ------------------------------------------------------------------------------

cat >table.c <<'EOF'
#include "probe.h"

#include <stdio.h>

int main(void)
{
    int n;
    printf("%d %d\n", CFPC_PROBE_STEPS, CFPC_PROBE_PERIODS);
    for (n = 0; n < CFPC_PROBE_STEPS; n++)
        printf("%.9g\n", (double)cfpc_probe[n]);
    return CFPC_PROBE_STEP_S == 0.005f ? 0 : 1;
}
EOF
for compiler in "cc -std=c99" "c++ -x c++ -std=c++11"; do
    command -v "${compiler%% *}" >/dev/null || continue
    # shellcheck disable=SC2086 # options
    check "it compiles with $compiler" $compiler -Wall -Wextra -Werror -pedantic -I probe table.c -o table
    check "it runs" sh -c './table >values'
    examined table probe values
done

# ---- what it refuses --------------------------------------------------------------------------

rm -rf out
excite --rms 1e-320
refuses 2 'is too small or too large to be computed with'
excite --rms 0
refuses 2 "--rms must be a number above 0; this is '0'"
excite --seconds -1
refuses 2 '--seconds must be a number above 0'
excite --noise nan
refuses 2 '--noise must be a number above 0'
excite --seconds 1
refuses 2 '--seconds 1 is too short: from 1.67 Hz on, in a loop that settles in 0.805 s'
tells 'give --seconds 3.22 or more'
excite --seconds 5 --low-hz 0.1
refuses 2 'give --seconds 20 or more, or a higher --low-hz'
excite --seconds 1e9
refuses 2 '--seconds 1e+09 is too long: a probe has at most 2000000 steps (10000 s here)'
excite --low-hz 1e-9
refuses 2 'a probe from 1e-09 Hz on takes two periods of at least'
excite --high-hz 101
refuses 2 '--high-hz 101 is above half the sampling rate, 100 Hz'
excite --low-hz 30
refuses 2 'the band from 30 to '
excite --low-hz 30 --high-hz 20
refuses 2 'the band from 30 to 20 Hz is empty; --low-hz must not be above --high-hz'
excite --set loop.delay_ms=200
refuses 2 'is unstable: its largest pole has magnitude'
excite --set 'task={kind: step, at_s: 0, from: 0, to: 0, trial_s: 1}'
refuses 2 'give --rms'
excite --secnds 3
refuses 2 "did you mean '--seconds'?"
excite --set loop.dely_ms=3
refuses 2 "did you mean 'delay_ms'?"
cfpc excite
refuses 2 'this needs the name of an experiment'
cfpc excite ./missing.yaml
refuses 2 './missing.yaml: No such file or directory'
check "nothing is left" [ ! -e out ]

finish
