# SPDX-License-Identifier: Apache-2.0
# cfpc identify: from a log to a model file that a spec takes; what is wrong with a log is refused on
# one line that says where, and nothing is written.
. "$(dirname "$0")/lib.sh"

# A loop: a lag of 20 steps, PI, 4 steps of delay; r is a random binary signal, the noise repeats.
make_log() { # make_log ROWS NOISE
    awk -v rows="$1" -v noise="$2" 'function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
        BEGIN { seed = 7; print "time_ms,r,u,y"
            for (n = 0; n < rows; n++) {
                if (n % 13 == 0) r = random() < 0.5 ? -1 : 1
                y = x + noise * (random() + random() + random() - 1.5)
                integral += 0.02 * (r - y)
                u[n] = (r - y) + integral
                x = 0.95 * x + 0.05 * (n >= 4 ? u[n - 4] : 0)
                printf "%d,%g,%.9g,%.9g\n", 5 * n, r, u[n], y
            } }'
}
make_log 1200 0.05 >log.csv

# ---- a model ----------------------------------------------------------------------------------

cfpc identify log.csv --input r --output y --out model.yaml
succeeds
says 'log.csv: from r to y'
says 'rows                                 1200 (6 s)'
says 'step                                 5 ms (of the time stamps)'
says 'fit on held-back data'
says 'largest relative error'
says 'input does not react to the output'
says 'model:   model.yaml'
check "the model is there" grep -q '^step_ms: 5 ' model.yaml
check "it names its log" grep -q '^log: log.csv ' model.yaml
for file in identification.json simulation.csv response.csv frequency.csv residuals.csv fig-identify.gp; do
    check "$file is there" [ -s "out/log-identified/$file" ]
done
check "the JSON is JSON" python3 -c 'import json
it = json.load(open("out/log-identified/identification.json"))
assert it["rows"] == 1200 and it["step_ms"] == 5 and it["fit"] > 80, it'
cfpc identify log.csv --input 2 --output 4 --time 1 --out again.yaml --no-figures
succeeds
check "columns by number are the same" same model.yaml again.yaml
cut -d , -f 2,4 log.csv >bare.csv
cfpc identify bare.csv --input r --output y --out bare.yaml --figures elsewhere
succeeds
says 'step                                 1 ms (assumed: there are no time stamps; --step-ms gives another)'
check "the folder is the one that was chosen" [ -s elsewhere/identification.json ]
cfpc identify bare.csv --input r --output y --step-ms 5 --delay-ms 25 --order 3 --out given.yaml --no-figures
succeeds
says 'step                                 5 ms (as given)'
says '25 ms (5 steps), as given'
says '3, as given'
check "no figures, no folder" [ ! -e out/bare-identified ]

# ---- what is there is not lost ----------------------------------------------------------------

cp model.yaml before
cfpc identify log.csv --input r --output y --out model.yaml
refuses 2 'model.yaml: exists already; --force replaces it, --out writes elsewhere'
cfpc identify log.csv --input r --output y --out model.yaml --force
succeeds
check "the same log gives the same model" same model.yaml before
echo 'name: mine' >mine.yaml
cfpc identify log.csv --input r --output y --out mine.yaml --force
refuses 2 'mine.yaml: exists and is not a model of cfpc; use another --out'
mkdir folder.yaml
cfpc identify log.csv --input r --output y --out folder.yaml --force
refuses 2 'folder.yaml: exists and is not a file'
mkdir full && touch full/mine
cfpc identify log.csv --input r --output y --out other.yaml --figures full
refuses 2 'full: holds files that are not a result of cfpc; use another --figures'
cfpc identify bare.csv --input r --output y --step-ms 5 --delay-ms 5 --order 3 --out given1.yaml --no-figures
succeeds
says '5 ms (1 step), as given'
cfpc identify log.csv --input r --output y --out nowhere/model.yaml
refuses 2 'nowhere/model.yaml: cannot be written: No such file or directory'
cfpc identify log.csv --input r --output y --out model.txt
refuses 2 "a model file must end in .yaml; this is 'model.txt'"

# ---- logs that are refused --------------------------------------------------------------------

rm -rf out
refused() { # refused WORDS OPTIONS...: of bad.csv
    words=$1
    shift
    cfpc identify bad.csv "$@" --out bad.yaml
    refuses 2 "$words"
    check "nothing is written" [ ! -e bad.yaml ]
    check "and no folder" [ ! -e out ]
}
of_ry='--input r --output y'
sed '100s/,[^,]*$/,nan/' log.csv >bad.csv
refused "bad.csv:100: 'y' is empty or not a finite number" $of_ry
sed '100,102d' log.csv >bad.csv
refused 'bad.csv:100: 3 rows are missing before this line (a step of 20 ms instead of 5)' $of_ry
sed '100s/^[0-9]*/493/' log.csv >bad.csv
refused 'bad.csv:100: the time stamps are irregular: this step is 8 ms, the usual one 5 ms' $of_ry
head -n 40 log.csv >bad.csv
refused 'bad.csv: 39 rows are too few; identification needs at least 64' $of_ry
cp log.csv bad.csv
refused "bad.csv: has no column 'z'" --input z --output y
refused "bad.csv: 'r' cannot be both --input and --output" --input r --output r
refused "bad.csv: which column is the output?" --input r
refused "bad.csv: the steps of 'time_ms' are 5 ms, --step-ms says 2" $of_ry --step-ms 2
refused '--delay-ms of 7 is not a whole number of steps of 5 ms' $of_ry --delay-ms 7
refused '--delay-ms must be auto or a number, at least 0' $of_ry --delay-ms soon
refused '--order must be auto or a whole number from 1 to 40' $of_ry --order 41
awk -F , 'NR == 1 { print; next } { print $1 ",1," $3 "," $4 }' log.csv >bad.csv
refused "bad.csv: 'r' is constant (1 in all 1200 rows); a model needs an input that moves" $of_ry
awk -F , 'NR == 1 { print; next } { print $1 "," $1 "," $3 "," $4 }' log.csv >bad.csv
refused "bad.csv: 'r' " $of_ry
awk -F , 'NR == 1 { print; next } { v = 1.5 * sin(NR / 40); if (v > 1) v = 1; print $1 "," $2 "," $3 "," v }' log.csv >bad.csv
refused "bad.csv:30: 'y' is saturated: it stays at its maximum of 1 for" $of_ry
awk -F , 'NR == 1 { print; next } { print $1 "," sin(NR / 9) "," $3 "," $4 }' log.csv >bad.csv
refused "bad.csv: 'r' holds only one or two frequencies" $of_ry
for row in 300 900; do
    sed "${row}s/,[^,]*$/,99999/" log.csv >bad.csv
    refused "bad.csv:$row: no model was found (fit of held-back data " $of_ry
    tells "'y' of 99999 is an outlier, "
done
awk -F , 'NR == 1 { print; next } { x = sin(12.9898 * NR) * 43758.5453; print $1 "," $2 "," $3 "," x - int(x) }' log.csv >bad.csv
refused "bad.csv: no model from 'r' to 'y' was found (fit of held-back data " $of_ry
sed '1a s,rad,V,rad' log.csv >bad.csv
refused 'bad.csv:2: no field of this row is a number; if it holds units, remove it' $of_ry
awk -F , 'NR > 600 { $2 = 1 } { print $1 "," $2 "," $3 "," $4 }' log.csv >bad.csv
refused "bad.csv:602: 'r' is constant (1) in the second half of the log, which is held back" $of_ry
awk -F , 'NR > 1 && NR < 620 { $4 = 0 } { print $1 "," $2 "," $3 "," $4 }' log.csv >bad.csv
refused "bad.csv:2: 'y' is constant (0) in the first half of the log" $of_ry
tr , ';' <log.csv >bad.csv
refused 'bad.csv: its columns are separated by semicolons; separate columns by commas' $of_ry
echo 'nothing to see' >bad.csv
refused 'bad.csv: ' $of_ry
cfpc identify
refuses 2 'this needs a log, a CSV file'
cfpc identify log.csv --input r --output y
refuses 2 'this needs --out FILE'
cfpc identify none.csv --input r --output y --out bad.yaml
refuses 2 'none.csv: '

# The command of a closed loop: it answers to the noise of y.
make_log 1200 0.3 >bad.csv
refused "bad.csv: 'u' reacts to 'y'" --input u --output y
cfpc identify bad.csv --input r --output y --out good.yaml --no-figures
succeeds
cfpc identify bad.csv --input u --output y --out allowed.yaml --no-figures --allow-feedback
succeeds
says 'NO, allowed by --allow-feedback'
check "the model says so" grep -q '^feedback_allowed: yes ' allowed.yaml

# ---- specs with it ----------------------------------------------------------------------------

cat >spec.yaml <<'END'
name: own
title: a loop that was identified
step_ms: 5
loop: {model: identified, file: model.yaml}
task: {kind: minimum-jerk, trial_s: 2, moves: [[0.5, 0.4, 1]]}
basis: {kind: gaussian, count: 8, width_ms: 200, spacing_ms: 200}
learning: {trials: 4}
rules: [{name: cfpc, trace: forward-model}]
END
cfpc check spec.yaml
succeeds
cfpc show spec.yaml
succeeds
says '  model: identified '
says '  file: model.yaml '
cfpc run spec.yaml --quiet --no-figures --out own
succeeds
check "the model is kept beside the result" same model.yaml own/input-model.yaml
cfpc run own/spec.yaml --quiet --no-figures --out repeated
succeeds
check "which repeats the run" same own/curves.csv repeated/curves.csv
cfpc analyse spec.yaml --no-figures --out certificate
succeeds
says 'gain of the open path T/(1 - T)'
says 'band of the believed model'

# A model that failed a test of its own: check, analyse and run say so, and nothing is certified.
failed='CAUTION: the model of doubtful.yaml failed a test: the input explains more of the output'
sed 's/^unexplained: [^ ]*/unexplained: 1e-12/' model.yaml >doubtful.yaml
cfpc check spec.yaml --set loop.file=doubtful.yaml
succeeds
says "$failed"
cfpc analyse spec.yaml --no-figures --out doubtful --set loop.file=doubtful.yaml
succeeds
says "$failed"
says 'Of the model only, which failed a test: '
check "nothing is certified" python3 -c 'import json
it = json.load(open("doubtful/certificate.json"))
assert "failed a test" in it["model_doubt"] and not it["band"]["sufficient"]["certified"], it["band"]
assert it["band"]["choice"]["update"] == "plain" and not it["band"]["choice"]["certified"], it["band"]
assert json.load(open("certificate/certificate.json"))["model_doubt"] is None'
cfpc run spec.yaml --no-figures --out doubted --set loop.file=doubtful.yaml
succeeds
says "$failed"
sed '/^band:/,$d' model.yaml >cut.yaml
cfpc check spec.yaml --set loop.file=cut.yaml
refuses 2 "missing key 'band' in the model"

cfpc run spec.yaml --quiet --no-figures --out bare --set loop.file=bare.yaml
refuses 2 'is a model for steps of 1 ms, the spec has steps of 5 ms'
cfpc run spec.yaml --quiet --no-figures --out given --set loop.file=given.yaml
succeeds
check "another model, another run" [ "$(cat own/curves.csv)" != "$(cat given/curves.csv)" ]
cfpc sweep spec.yaml loop.file=model.yaml,given.yaml --quiet --no-figures --out swept --threads 2
succeeds
check "both points are run" [ "$(grep -c ',done,' swept/sweep.csv)" -eq 2 ]
finish
