# SPDX-License-Identifier: Apache-2.0
# A sweep whose disk runs full says so, and goes on where it was once there is room.
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

sweep='sweep short.yaml loop.delay_ms=1:40:40 --quiet'
cfpc $sweep --out whole
succeeds

mkdir disk
for size in 16k 24k 32k 48k 64k 80k 96k 128k 160k 176k; do
    mount -t tmpfs -o size=$size tmpfs disk || skip 'no small disk can be mounted here'
    cfpc $sweep --out disk/new/x
    ran="$ran on a disk of $size"
    if [ "$code" -ne 0 ]; then
        refuses 1 ': '
        check "no result appears" [ ! -e disk/new/x ]
        cat told >>all
    fi
    mount -o remount,size=4m disk 2>/dev/null || skip 'a small disk cannot be made larger here'
    [ "$code" -eq 0 ] || cfpc $sweep --out disk/new/x
    succeeds
    check "the same bytes" same whole/sweep.csv disk/new/x/sweep.csv
    check "no journal is left" [ "$(ls -A disk/new)" = x ]
    umount disk
done
ran='cfpc sweep on many small disks'
check "the journal failed" grep -q 'x.partial/journal: cannot be written: No space left on device' all
check "the table failed" grep -q 'x/sweep.csv: cannot be written: No space left on device' all
finish
