# SPDX-License-Identifier: Apache-2.0
# cfpc run pursuit: every file it leaves, what stands in them, and that they repeat bit for bit.
. "$(dirname "$0")/lib.sh"

# ---- from any folder --------------------------------------------------------------------------

mkdir elsewhere
echo mine >elsewhere/result.h5 # of the user's, not to be touched
cd elsewhere || exit 1
cfpc run pursuit
succeeds
says 'pursuit: Smooth pursuit of a moving target'
says '14 of 14 claims hold'
says ', taught by the error r - y'
check "all verdicts are there" [ "$(grep -c ' holds$' "$here/said")" -eq 14 ]
check "the user's file is as it was" [ "$(cat result.h5)" = mine ]
cd "$here" || exit 1
result=$here/elsewhere/out/pursuit
check "nothing but the result" [ "$(ls -A elsewhere elsewhere/out | tr '\n' ' ')" = \
    'elsewhere: out result.h5  elsewhere/out: pursuit ' ]

cfpc --version
files='spec.yaml curves.csv signals.csv traces.csv weights.csv summary.json hashes.csv'
grep -q 'HDF5  *built in' said && files="$files result.h5"
figures='fig-story fig-behaviour fig-learning fig-traces fig-delays'
for figure in $figures; do
    files="$files $figure.gp"
    grep -q 'gnuplot  *found' said && files="$files $figure.svg $figure.png"
done
files="$files fig-traces.csv fig-delays.csv .cfpc-files"
files="$files fig-story-a.csv fig-story-b.csv fig-story-c.csv fig-story-d.csv"
for file in $files; do
    check "$file is there" [ -s "$result/$file" ]
    check "$file is listed" grep -qx "$file" "$result/.cfpc-files"
done
check "there are no other files" [ "$(ls -A "$result" | wc -l)" -eq "$(echo $files | wc -w)" ]

# ---- tables -----------------------------------------------------------------------------------

header() { # header FILE LINE
    [ "$(head -n 1 "$result/$1")" = "$2" ]
}

# Every row has as many fields as the header, and there are so many.
rows() { # rows FILE COUNT
    awk -F, -v count="$2" 'NR == 1 { fields = NF } NF != fields { exit 1 }
        END { if (NR != count + 1) exit 1 }' "$result/$1"
}

check "header of curves" header curves.csv 'trial,fm-et,wh,wh+50ms,wh+70ms,optimum'
check "rows of curves" rows curves.csv 50
check "trials count from 1" awk -F, 'NR > 1 && $1 != NR - 1 { exit 1 }' "$result/curves.csv"
check "the first trial is 1" awk -F, 'NR == 2 && ($2 < 0.999999999 || $2 > 1.000000001) { exit 1 }' \
    "$result/curves.csv"
check "header of signals" header signals.csv 'time_s,r,y_first,y_last,e_first,e_last,o_last,m_first,m_last'
check "rows of signals" rows signals.csv 2500
check "time goes in steps of 1 ms" awk -F, 'NR > 1 && ($1 - (NR - 2) / 1000) ^ 2 > 1e-20 { exit 1 }' \
    "$result/signals.csv"
check "without delay and noise m is y" awk -F, 'NR > 1 && (($8 - $3) ^ 2 > 1e-12 || ($9 - $4) ^ 2 > 1e-12) {
    exit 1 }' "$result/signals.csv"
check "e is r - y" awk -F, 'NR > 1 && (($2 - $3 - $5) ^ 2 > 1e-12 || ($2 - $4 - $6) ^ 2 > 1e-12) {
    exit 1 }' "$result/signals.csv"
check "the reactive error is the larger" awk -F, 'NR > 1 { first += $5 ^ 2; last += $6 ^ 2 }
    END { if (last / first > 0.05 ^ 2 || last / first < 0.04 ^ 2) exit 1 }' "$result/signals.csv"
check "header of traces" header traces.csv \
    "time_s$(seq -s '' -f ',x_%g' 1 20)$(seq -s '' -f ',h_%g' 1 20)"
check "rows of traces" rows traces.csv 2500
check "header of weights" header weights.csv "basis,fm-et,wh,wh+50ms,wh+70ms,optimum"
check "rows of weights" rows weights.csv 20
check "fm-et has almost the optimum's weights" awk -F, 'NR > 1 { off += ($2 - $6) ^ 2; all += $6 ^ 2 }
    END { if (!(all > 0) || off / all > 0.01 ^ 2) exit 1 }' "$result/weights.csv"

# ---- summary and HDF5 -------------------------------------------------------------------------

python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c '' 2>/dev/null && python=$candidate && break
done

summary_holds_all() {
    "$python" - "$result" <<'PYTHON'
import csv, json, sys
folder = sys.argv[1]
summary = json.load(open(folder + "/summary.json"))
curves = list(csv.DictReader(open(folder + "/curves.csv")))
for key in ("lambda_max", "learning_rate", "rrmse_optimum", "impulse_peak_ms", "lag_ms",
            "settling_ms", "lead_ms", "best_delay_ms"):
    assert isinstance(summary[key], (int, float)), key
assert summary["name"] == "pursuit" and summary["mode"] == "batch" and summary["trials"] == 50
assert summary["rule"] == "fm-et" and summary["modified"] is False
assert list(summary["rules"]) == ["fm-et", "wh", "wh+50ms", "wh+70ms"]
for rule, figures in summary["rules"].items():
    for key, trial in (("rrmse_2", 2), ("rrmse_7", 7), ("rrmse_20", 20), ("rrmse_last", 50)):
        assert figures[key] == float(curves[trial - 1][rule]), (rule, key)
assert summary["rrmse_optimum"] == float(curves[0]["optimum"])
assert abs(summary["learning_rate"] * summary["lambda_max"] - 0.5) < 1e-12
assert len(summary["claims"]) == 14
for claim in summary["claims"]:
    assert set(claim) >= {"name", "measured", "low", "high", "pass"}
    assert claim["pass"] is True and (claim["low"] is None or claim["low"] <= claim["measured"])
    assert claim["high"] is None or claim["measured"] <= claim["high"]
assert summary["claims"][0]["name"] == "lag"
assert summary["claims"][0]["measured"] == summary["lag_ms"]
PYTHON
}

if [ -n "$python" ]; then
    check "summary.json is JSON and holds all" summary_holds_all
else
    echo 'no python3: summary.json is not parsed'
fi

if command -v h5dump >/dev/null && [ -e "$result/result.h5" ]; then
    check "result.h5 holds the spec" sh -c "h5dump -a /spec '$result/result.h5' | grep -q 'name: pursuit'"
    check "result.h5 holds the impulse peak" sh -c \
        "h5dump -d /summary/impulse_peak_ms '$result/result.h5' | grep -q '(0): 63\$'"
else
    echo 'no h5dump: result.h5 is not read here (lab.results reads it)'
fi

# ---- the same again ---------------------------------------------------------------------------

OMP_NUM_THREADS=1
export OMP_NUM_THREADS
cfpc run pursuit --out again --quiet
succeeds
check "a second run leaves the same bytes" diff -r "$result" again
mkdir deep deep/er
cd deep/er || exit 1
OMP_NUM_THREADS=2
cfpc run pursuit --out "$here/threads" --quiet --no-figures
succeeds
cd "$here" || exit 1
for file in $files; do
    case $file in
    fig-* | .cfpc-files) ;;
    *) check "$file is the same with other threads from another folder" \
        same "$result/$file" "threads/$file" ;;
    esac
done
finish
