#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# no_double_built.sh CC NM ROOT: builds the core without the blocks for a Cortex-M4F in float, without a warning, and
# looks at what it calls; a file that computes in double must be refused.
set -eu
cc=$1 nm=$2 root=$3
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/cfpc"
sed 's/@CFPC_REAL_IS_FLOAT@/1/; s/@PROJECT_VERSION@/0/' "$root/include/cfpc/config.h.in" >"$work/cfpc/config.h"
build() { # build FILE
    "$cc" -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O2 -ffp-contract=off -std=c11 \
        -Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Werror \
        -I"$work" -I"$root/include" -I"$root/src" -c "$1" -o "$work/$(basename "$1" .c).o"
}

for file in "$root"/src/core/*.c; do build "$file"; done
sh "$here/no_double.sh" "$nm" "$work"/*.o

cat >"$work/forbidden.c" <<'C'
#include <stdint.h>
double sum(double a, int64_t b, int64_t c);
double sum(double a, int64_t b, int64_t c) { return a + (double)(b / c); }
C
build "$work/forbidden.c"
! said=$(sh "$here/no_double.sh" "$nm" "$work/forbidden.o") || { echo "double was not refused: $said"; exit 1; }
for name in __aeabi_dadd __aeabi_ldivmod __aeabi_l2d; do
    case "$said " in *" $name "*) ;; *) echo "$name is missing in: $said"; exit 1 ;; esac
done
