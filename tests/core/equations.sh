#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# equations.sh MODEL_H: each line of the rule's equation is one assignment, t, d, v and w in their
# order, as it was written: a formatter has made a paragraph of them before.
set -eu
lines=$(sed -n 's|^//     \([a-z]\) [=←] .*|\1|p' "$1" | tr -d '\n')
[ "$lines" = tdvw ] || {
    echo "$1: the lines of its equation begin with '$lines', not with t, d, v and w" >&2
    exit 1
}
