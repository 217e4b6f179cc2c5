#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# installed_docs.sh BUILD PROJECT: the docs that are installed are complete: every link of theirs leads somewhere.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cmake --install "$1" --prefix "$here/usr" >/dev/null
docs=$here/usr/share/doc/cfpc
test -f "$docs/README.md"
"$2/tools/check-docs" links "$docs"

rm "$docs/docs/theory.md" # and the check can fail
"$2/tools/check-docs" links "$docs" >"$here/said" && exit 1
grep -q '^CONTRIBUTING.md: docs/theory.md leads nowhere$' "$here/said"
