#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# references.sh PROJECT: every citation of the docs, the specs and the code is listed in docs/references.md, and
# tools/check-docs references finds one that is not.
. "$(dirname "$0")/finds.sh"

fine "$1/tools/check-docs" references

cat >"$here/page.md" <<'TEXT'
It is known ([Wan 1996](references.md#wan-1996); Porrill, Dean
& Stone 2004). After 2000 trials the rRMSE is 0.1984; `delay_ms: 2000`. Files are dated 1 January 1980.
It is also known (Nobody & Noone 1996).
TEXT
finds "$1/tools/check-docs" references "$here/page.md" 'page.md:3: not in docs/references.md: .*Nobody & Noone 1996'
