# SPDX-License-Identifier: Apache-2.0
# A run that is stopped by a signal ends at once with exit code 1 and leaves nothing.
. "$(dirname "$0")/lib.sh"

# Waits until the run has made its folder, beside so many other things, and is well under way.
await_start() { # await_start FOLDER OTHERS
    tries=0
    while [ "$(ls -A "$1" 2>/dev/null | wc -l)" -le "$2" ] && [ "$tries" -lt 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 0.3
}

for signal in INT TERM; do
    "$command" run pursuit --online --trials 100000 --out long/x >said 2>told &
    pid=$!
    ran="cfpc run, stopped by $signal"
    await_start long 0
    check "it is under way" [ -n "$(ls -A long)" ]
    check "and shows no result yet" [ ! -e long/x ]
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
await_start kept 1
kill -s TERM "$pid"
wait "$pid"
code=$?
refuses 1 'stopped'
check "the old result is as it was" diff -r before kept
finish
