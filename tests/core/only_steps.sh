#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# only_steps.sh NM PROGRAM OBJECT...: fails, with their names, if the program links a function that
# one of these objects (the files of src/core/fast) defines.
set -eu
nm=$1 program=$2
shift 2
fast=$("$nm" -g --defined-only "$@" | awk 'NF == 3 && $2 == "T" { print $3 }' | sort -u)
[ -n "$fast" ] || { echo "the objects define nothing: $*"; exit 2; }
linked=$("$nm" --defined-only "$program" | awk 'NF == 3 { print $3 }')
[ -n "$linked" ] || { echo "$program defines nothing: is it a program?"; exit 2; }
for name in $fast; do
    ! echo "$linked" | grep -qx "$name" || { echo "linked: $name"; found=1; }
done
[ -z "${found:-}" ] || exit 1
echo "none of the $(echo "$fast" | wc -l) functions of src/core/fast"
