# SPDX-License-Identifier: Apache-2.0
# A sweep that is killed or stopped at any moment goes on where it was, and leaves the same bytes
# as one that was left alone.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

sweep='sweep short.yaml loop.delay_ms=1:60:60 --threads 2 --quiet --no-figures'
cfpc $sweep --out whole
succeeds

rows() { # rows JOURNAL: how many points it holds
    [ ! -e "$1" ] || tr '\t' ' ' <"$1" | grep ' done ' | wc -l
}

# Starts the sweep into a folder, waits until its journal holds so many points, or the sweep has ended, and sends a
# signal: no matter how fast the machine is.
interrupt_at() { # interrupt_at POINTS SIGNAL FOLDER
    ran="cfpc $sweep --out $3, $2 at $1 points"
    "$command" $sweep --out "$3" >said 2>told &
    pid=$!
    while kill -0 "$pid" 2>/dev/null && [ ! -e "$3" ]; do
        held=$(rows "$3.partial/journal")
        [ "${held:-0}" -lt "$1" ] || break
        sleep 0.002
    done
    kill -s "$2" "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    code=$?
}

# Again and again, each time some points later, until the result is there.
kill_until_done() { # kill_until_done SEED
    partly=0
    for points in $(awk -v "seed=$1" 'BEGIN { srand(seed)
        for (i = 0; i < 100; i++) print at += int(rand() * 12) }'); do
        interrupt_at "$points" KILL killed
        [ ! -e killed ] || break
        held=$(rows killed.partial/journal)
        [ "${held:-0}" -gt 0 ] && [ "$held" -lt 60 ] && partly=$((partly + 1))
    done
}

for seed in 1 2 3; do
    kill_until_done $seed
    check "it was killed at work" [ "$partly" -gt 0 ]
    check "the same bytes" same whole/sweep.csv killed/sweep.csv
    [ "$code" -ne 0 ] || check "no journal is left" [ ! -e killed.partial ]
    rm -rf killed killed.partial
done

# A row that was written in part, as by a machine that lost its power.
with_gnuplot 'exit 3' # so that the journal stays
cfpc sweep short.yaml loop.delay_ms=1:60:60 --threads 2 --quiet --out torn
as_before
refuses 1 'gnuplot could not draw it'
size=$(wc -c <torn.partial/journal)
head -c $((size - 40)) torn.partial/journal >part
cp part torn.partial/journal
cfpc $sweep --out torn
succeeds
check "the same bytes" same whole/sweep.csv torn/sweep.csv

# Ctrl-C: the threads put down what they do.
for signal in INT TERM; do
    for points in 20 10 5 2 1; do # it must be caught at work
        rm -rf "stopped-$signal"*
        interrupt_at "$points" "$signal" "stopped-$signal"
        [ "$code" -eq 1 ] && break
    done
    refuses 1 'the same command resumes from there'
    cfpc $sweep --out "stopped-$signal" --force
    succeeds
    check "the same bytes" same whole/sweep.csv "stopped-$signal/sweep.csv"
done
finish
