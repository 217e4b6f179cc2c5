# SPDX-License-Identifier: Apache-2.0
# Faults of the machine: a process that dies at the worst moment, file systems that lack something,
# limits, and impatience. A result is complete or not there, and nothing is left lying about.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

run='run short.yaml --no-figures --quiet --out out/x'
cfpc $run
succeeds
cp -R out before

alone() { # alone: the folder holds the old result, and nothing else
    check "the old result is as it was" diff -r before out
}

# ---- run --force, killed ----------------------------------------------------------------------

if [ -n "${CFPC_FAULTS:-}" ]; then
    # Two names change places at once: before it there is the old result, after it the new one.
    with_fault FAULT_RENAME=1 $run --force --trials 2
    ends 137
    check "killed before: the old result is there" same before/x/curves.csv out/x/curves.csv
    with_fault FAULT_RENAME=2 $run --force
    succeeds
    check "there is no second moment" diff -r before out

    # A file system that cannot: the old result has stepped aside when the process dies.
    FAULT_EXCHANGE=no
    export FAULT_EXCHANGE
    with_fault FAULT_RENAME=2 $run --force --trials 2
    ends 137
    check "this is the moment without a result" [ ! -e out/x ]
    cfpc $run
    refuses 2 'out/x: holds a result already; --force replaces it'
    alone
    with_fault FAULT_RENAME=3 $run --force
    succeeds
    alone
    unset FAULT_EXCHANGE

    with_fault FAULT_LOCK=no sweep short.yaml loop.delay_ms=30,50 --quiet --no-figures --out locked/x
    refuses 1 'locked/x.partial/journal: cannot be locked: No locks available'
    rm -rf locked

    # Memory that runs out for a moment, in the middle of a sweep's points: the point that failed is
    # a row that says so, the exit code is 1, and the same command tries it again.
    sweep='sweep short.yaml loop.delay_ms=30:50:3 --threads 1 --quiet --no-figures'
    cfpc $sweep --out whole
    succeeds
    with_fault FAULT_COUNT=count $sweep --out counted
    succeeds
    failed=0
    for percent in 20 25 30 35; do
        # qsort does without what it asks for: then the next allocation
        at=$(($(cat count) * percent / 100))
        for later in 0 1 2 3; do
            with_fault FAULT_MALLOC=$((at + later)) $sweep --out part/x
            [ "$code" -eq 0 ] || break
            check "what was done without changed nothing" diff -r whole part/x
            rm -r part
        done
        refuses 1 'memory ran out'
        [ ! -e part/x ] || failed=$((failed + $(grep -c '^[0-9]*,failed,' part/x/sweep.csv)))
        cfpc $sweep --out part/x
        succeeds
        check "a second start has all points" diff -r whole part/x
        check "and removes the journal" [ "$(ls -A part)" = x ]
        rm -r part
    done
    check "points were rows that failed" [ "$failed" -gt 0 ]
else
    echo 'no library to preload: the moment between two names is not tested'
fi

# ---- what a dead process left -----------------------------------------------------------------

await() { # await COMMAND...: until it is true
    tries=0
    until "$@" || [ "$tries" -ge 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

hidden() { # hidden COUNT: so many hidden folders beside the result
    [ "$(ls -A out | grep -c '^\.x\.')" -eq "$1" ]
}

draw() { # draw COUNT: so many gnuplots have been started
    [ -e begun ] && [ "$(wc -l <begun)" -ge "$1" ]
}

# Two runs are held up while gnuplot draws: one dies, one lives on.
with_gnuplot 'echo >>"'"$here"'/begun"; while [ ! -e "'"$here"'/go" ]; do sleep 0.05; done
echo "<svg> a picture </svg>" >$name.svg; echo "a picture IEND...." >$name.png'
"$command" run short.yaml --out out/x --force >said 2>told &
dead=$!
"$command" run short.yaml --out out/x --force >said 2>told &
alive=$!
await hidden 2
await draw 2 # not before: a program that is being started holds the lock of its folder, too
kill -s KILL $dead
wait $dead 2>/dev/null
mkdir out/.x.backup # the user's
echo mine >out/.x.backup/notes
cfpc $run
refuses 2 'out/x: holds a result already'
check "the dead one's folder is gone, the living one's is there" hidden 2
check "and so is the user's" [ -s out/.x.backup/notes ]
kill -s TERM $alive
touch "$here/go"
wait $alive
code=$?
ends 1
as_before
rm -r out/.x.backup
alone

# ---- a limit on the size of files -------------------------------------------------------------

(
    ulimit -f 8
    exec "$command" $run --force >said 2>told
)
code=$?
ran="cfpc $run --force, with ulimit -f 8"
refuses 1 'spec.yaml: cannot be written: File too large'
alone

# ---- a limit on memory ------------------------------------------------------------------------

# What ends before main is not ours: 127 says the loader.
if [ -n "${CFPC_FAULTS:-}" ]; then # not with a sanitizer, which needs more than there is
    told_so=0
    for limit in 18000 20000 21000 22000 23000 24000 26000 30000; do
        (
            ulimit -v $limit
            exec timeout -s KILL 60 "$command" $run --force >said 2>told
        )
        code=$?
        ran="cfpc $run --force, with ulimit -v $limit"
        case $code in
        0 | 127) ;;
        *)
            refuses 1 'memory ran out'
            told_so=$((told_so + 1))
            ;;
        esac
        alone
    done
    check "memory ran out at least once" [ $told_so -gt 0 ]
fi

# ---- a second signal --------------------------------------------------------------------------

# The first waits until the figure is drawn; the second does not.
with_gnuplot 'echo $$ >"$here/drawing"; exec sleep 60'
export here
"$command" run short.yaml --quiet --out out/x --force >said 2>told &
pid=$!
ran='cfpc run, stopped twice'
await [ -s drawing ]
kill -s INT $pid
kill -s TERM $pid
wait $pid
code=$?
as_before
kill "$(cat drawing)"
check "the second ends it at once" [ "$code" -gt 128 ]
cfpc $run
check "what it left is cleared away" diff -r before out
finish
