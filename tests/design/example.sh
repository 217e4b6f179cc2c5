#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# example.sh PROGRAM: examples/design.c closes the paper's loop and learns to within 1 % of the
# optimum that it printed before.
set -eu
"$1" | awk '{ print } /^largest pole/ { pole = $3 + 0; best = $6 } /^trial/ { last = $4 }
            END { exit !(pole > 0.9 && pole < 1 && best > 0.04 && best < 0.05 &&
                         last > 0 && last < 1.01 * best) }'
