#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# precision.sh CC INCLUDE CONFIG SOURCE NAME LIBRARY...: a program compiled for the other precision
# than the library's is refused by the linker, which names NAME_needs_a_library_built_for_ that
# precision. (Of the same precision it links: the build has done so.)
set -eu
cc=$1 include=$2 config=$3 source=$4 name=$5
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/cfpc"
case $(grep '^#define CFPC_REAL_IS_FLOAT' "$config/cfpc/config.h") in
*1) own=1 other=0 precision=double ;;
*0) own=0 other=1 precision=float ;;
*) echo "$config/cfpc/config.h does not say the precision" && exit 2 ;;
esac
sed "s/^#define CFPC_REAL_IS_FLOAT $own/#define CFPC_REAL_IS_FLOAT $other/" "$config/cfpc/config.h" \
    >"$work/cfpc/config.h"

! "$cc" -std=c17 -I"$work" -I"$include" "$source" "$@" -lm -o "$work/program" 2>"$work/said" || { echo "$precision linked with a library that is not" && exit 1; }
grep "${name}_needs_a_library_built_for_$precision" "$work/said"
