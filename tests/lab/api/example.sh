# SPDX-License-Identifier: Apache-2.0
# examples/lab.c runs pursuit with settings, and says what is wrong with one: example.sh PROGRAM SPEC
set -eu
said=$("$1" "$2" loop.delay_ms=40)
echo "$said" | grep -q '^fm-et  *1\.0000 .* rRMSE$'
echo "$said" | grep -q '^holds .*reactive tracking lags the target'
if "$1" "$2" loop.dealy_ms=40 >/dev/null 2>"${TMPDIR:-/tmp}/cfpc-example-$$"; then
    echo "a bad setting was taken" >&2
    exit 1
fi
grep -q "did you mean 'delay_ms'" "${TMPDIR:-/tmp}/cfpc-example-$$"
rm "${TMPDIR:-/tmp}/cfpc-example-$$"
