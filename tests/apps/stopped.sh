# SPDX-License-Identifier: Apache-2.0
# A run that is stopped by a signal ends at once with exit code 1 and leaves nothing.
. "$(dirname "$0")/lib.sh"

# Waits until the run has computed for 0.3 s: it is well under way, as reading a spec takes a hundredth of that.
await_start() { # await_start PID
    tries=0
    while [ "$(awk '{ print $14 }' "/proc/$1/stat")" -lt 30 ] && [ "$tries" -lt 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

for signal in INT TERM; do
    "$command" run pursuit --online --trials 100000 --out long/x >said 2>told &
    pid=$!
    ran="cfpc run, stopped by $signal"
    await_start "$pid"
    check "it is under way" [ -d "/proc/$pid" ]
    check "and shows no result yet" [ ! -e long ]
    kill -s "$signal" "$pid"
    wait "$pid"
    code=$?
    refuses 1 'stopped'
    check "nothing is left" [ ! -e long ]
done

# Stopped while the last figure is drawn: by the gnuplot that draws it.
with_gnuplot 'echo "<svg> a picture </svg>" >$name.svg; echo "a picture IEND...." >$name.png
[ "$name" != fig-delays ] || kill -s TERM "$PPID"'
cfpc run pursuit --out drawn/x --quiet
as_before
refuses 1 'stopped'
check "nothing is left" [ ! -e drawn ]

# The result that is there stays.
cfpc run pursuit --no-figures --quiet --out kept/x --trials 2
succeeds
cp -R kept before
"$command" run pursuit --online --trials 100000 --out kept/x --force >said 2>told &
pid=$!
ran='cfpc run --force, stopped'
await_start "$pid"
kill -s TERM "$pid"
wait "$pid"
code=$?
refuses 1 'stopped'
check "the old result is as it was" diff -r before kept
finish
