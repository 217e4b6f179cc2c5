#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# symbols.sh NM LIBRARY: fails, with their names, if the library needs symbols from outside other
# than the few a compiler may call at any time (clang writes bcmp for a memcmp that is only compared
# with 0). __cpu_model is the compiler's own library's, on x86-64: what the processor offers; and so is
# __aeabi_*, on ARM: divisions, and conversions of 64 bits in double, that the processor has no instruction for.
set -eu
nm=$1 library=$2
allowed="memcpy memset memmove memcmp bcmp __cpu_model __stack_chk_fail _GLOBAL_OFFSET_TABLE_"

needed=$("$nm" -u "$library" | awk '$1 == "U" { print $2 }' | sort -u)
defined=$("$nm" --defined-only "$library" | awk 'NF == 3 { print $3 }' | sort -u)
[ -n "$defined" ] || { echo "$library defines nothing: is it a library?"; exit 2; }

outside=
for symbol in $needed; do
  case " $(echo $allowed $defined) " in
    *" $symbol "*) continue ;;
  esac
  case $symbol in
    __aeabi_*div* | __aeabi_d2lz | __aeabi_l2d) ;;
    *) outside="$outside $symbol" ;;
  esac
done
[ -z "$outside" ] || { echo "from outside:$outside"; exit 1; }
echo "nothing from outside but: $(echo $needed)"
