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

# Starts the sweep again and again, each time with a little longer to live, until its result is
# there.
kill_until_done() { # kill_until_done SEED
    partly=0
    for seconds in $(awk -v "seed=$1" 'BEGIN { srand(seed)
        for (i = 0; i < 100; i++) printf "%.3f ", 0.01 + rand() * (0.05 + 0.03 * i) }'); do
        ran="cfpc $sweep --out killed, seed $1"
        "$command" $sweep --out killed >said 2>told &
        pid=$!
        sleep "$seconds"
        kill -s KILL "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
        code=$?
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
    for seconds in 0.20 0.15 0.10 0.05 0.02; do # it must be caught at work
        "$command" $sweep --out "stopped-$signal" --force >said 2>told &
        pid=$!
        ran="cfpc $sweep, stopped by $signal"
        sleep $seconds
        kill -s $signal "$pid" 2>/dev/null
        wait "$pid"
        code=$?
        [ "$code" -eq 1 ] && break
    done
    refuses 1 'the same command resumes from there'
    cfpc $sweep --out "stopped-$signal" --force
    succeeds
    check "the same bytes" same whole/sweep.csv "stopped-$signal/sweep.csv"
done
finish
