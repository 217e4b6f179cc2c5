#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# hello.sh SOURCE PROGRAM...: the example learns (its error falls below a third), on static memory and
# in fewer than 60 lines.
set -eu
source=$1
shift
"$@" | awk '{ print } $2 == 1 { first = $5 } { last = $5 }
            END { exit !(first > 0.3 && last > 0 && last < first / 3) }'
[ "$(wc -l <"$source")" -lt 60 ]
! grep -q 'malloc\|calloc' "$source"
