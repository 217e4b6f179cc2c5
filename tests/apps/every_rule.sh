# SPDX-License-Identifier: Apache-2.0
# every_rule.sh PROJECT: tools/every-rule --check holds for the pages, and fails where one lacks the best figure of its
# row, or a row or a link is missing.
set -u
project=$1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
mkdir "$here/docs"
cp -R "$project/experiments" "$here"
cp -R "$project/docs/experiments" "$project/docs/theory.md" "$here/docs"
failures=0

check() {
    python3 "$project/tools/every-rule" --check "$here" 2>"$here/said"
}

finds() { # finds PAGE SED WORDS: with PAGE changed by SED the check fails and says WORDS
    cp "$here/docs/$1" "$here/kept"
    sed "$2" "$here/kept" >"$here/docs/$1"
    if check || ! grep -q "$3" "$here/said"; then
        failures=$((failures + 1))
        echo "FAILED: $1 with '$2': it should say '$3'; it said: $(cat "$here/said")"
    fi
    cp "$here/kept" "$here/docs/$1"
}

check || { failures=1; cat "$here/said"; }
finds experiments/ringing.md 's/0\.0044/0.0054/g' "ringing.md: the first paragraph does not say"
finds experiments/every-rule.md 's/^\(| posture .*\)\*\*[0-9.]*\*\*/\1**0.021**/' "best rule of 'posture' reaches, 0.021"
finds experiments/every-rule.md '/^| vor /d' "no row for vor"
finds experiments/vor.md 's/every-rule\.md/rivals.md/g' "link every-rule.md"
[ "$failures" -eq 0 ]
