#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# [ALSO=NAMES] symbols.sh NM LIBRARY...: fails, with their names, if the libraries, or object files, need symbols from
# outside other than these and the few a compiler may call at any time (clang writes bcmp for a memcmp that is only compared
# with 0). __cpu_model is the compiler's own library's, on x86-64: what the processor offers; and so is
# __aeabi_*, on ARM: divisions, and conversions of 64 bits in double, that the processor has no instruction for.
set -eu
nm=$1
shift
allowed="memcpy memset memmove memcmp bcmp __cpu_model __stack_chk_fail _GLOBAL_OFFSET_TABLE_ ${ALSO:-}"

needed=$("$nm" -u "$@" | awk '$1 == "U" { print $2 }' | sort -u)
defined=$("$nm" --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u)
[ -n "$defined" ] || { echo "$* defines nothing: is it a library?"; exit 2; }

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
