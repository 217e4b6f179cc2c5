#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# no_double.sh NM OBJECT...: fails, with their names, if the objects, built for a processor whose FPU computes in
# float only, call double arithmetic, 64-bit division or conversion, or libm. The names are those of the compiler's
# own library: __aeabi_* on ARM, the others elsewhere (__adddf3, __extendsfdf2, __divdi3, ...).
set -eu
nm=$1
shift
needed=$("$nm" -u "$@" | awk '$1 == "U" { print $2 }' | sort -u)
[ -n "$("$nm" --defined-only "$@" | awk 'NF == 3')" ] || { echo "nothing is defined: are these objects? $*"; exit 2; }
found=
for symbol in $needed; do
    case $symbol in
    __aeabi_d* | __aeabi_cd* | __aeabi_*2d | __aeabi_ldiv* | __aeabi_uldiv* | __aeabi_l2f | __aeabi_ul2f | \
        __aeabi_f2lz | __aeabi_f2ulz | *df[23] | *df | __fix*df* | __float*df | __extend* | __trunc* | \
        __div[dt]i* | __udiv[dt]i* | __mod[dt]i* | __umod[dt]i* | \
        sqrt | sqrtf | exp | expf | log | logf | sin | sinf | cos | cosf | tan | tanf | pow | powf | fabs | fabsf | \
        fmod | fmodf | floor | floorf | ceil | ceilf | round | roundf | lround | lroundf | fma | fmaf)
        found="$found $symbol" ;;
    esac
done
[ -z "$found" ] || { echo "called:$found"; exit 1; }
echo "no double, no 64-bit division, no libm"
