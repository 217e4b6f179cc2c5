# SPDX-License-Identifier: Apache-2.0
# A disk that runs full at any step: exit code 1, one line, and nothing left on it. The disks are
# small ones in memory, within a mount namespace of this test's own.
if [ -z "${CFPC_OWN_MOUNTS:-}" ]; then
    CFPC_OWN_MOUNTS=1
    export CFPC_OWN_MOUNTS
    for way in -m -rm; do
        unshare $way sh -c 'mount -t tmpfs -o size=64k tmpfs /mnt' 2>/dev/null &&
            exec unshare $way sh "$0" "$@"
    done
    echo 'skipped: no small disk can be mounted here'
    exit 77
fi
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

bytes() { # bytes FILE...
    cat "$@" | wc -c
}

# The sizes of disk on which each step fails, from a result on a large disk.
cfpc run short.yaml --out whole --quiet
succeeds
curves=$(bytes whole/spec.yaml whole/curves.csv)
signals=$(bytes whole/signals.csv)
traces=$(bytes whole/traces.csv)
tables=$((curves + signals + traces + $(bytes whole/summary.json)))
hdf5=$([ -e whole/result.h5 ] && bytes whole/result.h5 || echo 0)
figures=$(bytes whole/fig-*)
at_signals=$(((curves + signals / 2) / 1024))k
at_traces=$(((curves + signals + traces / 2) / 1024))k
at_hdf5=$(((tables + hdf5 / 2) / 1024))k
at_figures=$(((tables + hdf5 + figures / 2) / 1024))k
count=$(ls -A whole | wc -l)

# Runs onto a disk of this size; the lines told go into all.
mkdir disk
on_disk() { # on_disk SIZE
    mount -t tmpfs -o size="$1" tmpfs disk || skip 'no small disk can be mounted here'
    cfpc run short.yaml --out disk/new/x --quiet
    ran="$ran on a disk of $1"
    if [ "$code" -eq 0 ]; then
        check "the result is whole" [ "$(ls -A disk/new/x | wc -l)" -eq "$count" ]
    else
        refuses 1 'disk/new/x/'
        check "nothing is left" is_empty disk
        cat told >>all
    fi
    umount disk
}

for size in 4k "$at_signals" "$at_traces" "$at_hdf5" "$at_figures" 8m; do
    on_disk "$size"
done
ran='cfpc run on many small disks'
check "a table failed" grep -q 'signals.csv: cannot be written: No space left on device' all
check "a large table failed" grep -q 'traces.csv: cannot be written: No space left on device' all
[ "$hdf5" -eq 0 ] || check "result.h5 failed" grep -q 'result.h5: cannot be written: ' all
[ ! -e whole/fig-traces.svg ] || check "a figure failed" grep -q '/fig-' all
check "the last was large enough" [ "$code" -eq 0 ]

# No room for a folder: refused before anything is begun.
mount -t tmpfs -o nr_inodes=1 tmpfs disk
cfpc run short.yaml --out disk/new/x --quiet
refuses 2 'disk/new: cannot be made: No space left on device'
check "nothing is left" is_empty disk
umount disk

# An old result survives a disk that is too full for the new one.
mount -t tmpfs -o size="$(((tables + hdf5) * 3 / 2 / 1024))k" tmpfs disk
cfpc run short.yaml --out disk/x --quiet --no-figures
succeeds
cp -R disk/x before
cfpc run short.yaml --out disk/x --quiet --no-figures --force
ends 1
check "the old result is as it was" diff -r before disk/x
check "and alone" [ "$(ls -A disk)" = x ]
umount disk

# A model and its figures appear together, or neither does; an old model survives.
awk 'BEGIN { s = 7; print "r,y"
    for (n = 0; n < 200; n++) { s = (s * 16807) % 2147483647; if (n % 7 == 0) r = s % 2 ? 1 : -1
        printf "%d,%.6f\n", r, y; y = 0.9 * y + 0.1 * r + s / 2147483647 / 50 } }' >log.csv
identified=
for size in 4k 8k 16k 32k 64k 1m; do
    mount -t tmpfs -o size="$size" tmpfs disk
    cfpc identify log.csv --input r --output y --out disk/m.yaml --figures disk/figures
    ran="$ran on a disk of $size"
    if [ "$code" -eq 0 ]; then
        check "the model is there" [ -s disk/m.yaml ]
        check "and so is the rest, and no more" [ "$(ls -A disk | wc -l)" -eq 2 ]
        identified=yes
    else
        refuses 1 'disk/'
        check "nothing is left" is_empty disk
    fi
    umount disk
done
check "the last was large enough" [ "$identified" = yes ]
mount -t tmpfs -o size=16k tmpfs disk
cfpc identify log.csv --input r --output y --out disk/m.yaml --no-figures
succeeds
cp disk/m.yaml before.yaml
head -c 60000 /dev/zero >disk/full 2>/dev/null
cfpc identify log.csv --input r --output y --out disk/m.yaml --no-figures --force
ends 1
check "the old model is as it was" same disk/m.yaml before.yaml
umount disk
finish
