#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# words.sh PROJECT: tools/check-docs words finds phrases that read as translated, across line breaks, in comments and
# messages, and names the place; it does not flag plain English.
. "$(dirname "$0")/finds.sh"

cat >"$here/good.md" <<'TEXT'
One row per figure; each machine has one column. The loop tolerates 20 ms more delay before it oscillates.
It stands for the mean. The cell outputs 0. One of the rules is a delay, once a second. At most 8 steps are done.
It may be called from several threads at once. `max_states` is the limit.
The angle is in turns. A file of at most 60000 bytes. A file is all the same to it.
TEXT
fine "$1/tools/check-docs" words "$here/good.md"

cat >"$here/bad.h" <<'TEXT'
// A table with one row
// a figure; learning stands still
// while o is not wholly there.
int32_t most_states;
return "the key stands "
       "behind another; it is kept all the same";
TEXT
finds "$1/tools/check-docs" words "$here/bad.h" "bad.h:1: 'one row a figure': write: " "bad.h:2: 'stands still': write: " \
    "bad.h:3: 'wholly': write: " "bad.h:4: 'most_states': write: " "bad.h:5: 'stands behind': write: " \
    "bad.h:6: 'kept all the same': write: "
