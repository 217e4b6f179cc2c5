#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# example.sh SOURCE PROGRAM...: in the example every one of the three loops learns (its error falls below a half), on
# static memory and in fewer than 70 lines.
set -eu
source=$1
shift
"$@" | awk '{ print } $2 == 1 { first[$4] = $7 } $2 > 1 { last[$4] = $7; loops++ }
            END { for (d in last) if (!(first[d] > 0.3 && last[d] > 0 && last[d] < first[d] / 2)) exit 1
                  exit loops != 3 }'
[ "$(wc -l <"$source")" -lt 70 ]
! grep -q 'malloc\|calloc' "$source"
