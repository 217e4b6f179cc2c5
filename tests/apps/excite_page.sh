# SPDX-License-Identifier: Apache-2.0
# docs/excite.md can be typed as it stands, and says what comes out.
page=$(cd "$2/../docs" && pwd)/excite.md
scripts=$(cd "$(dirname "$0")" && pwd)
at_least_files=0
at_least_commands=3
. "$scripts/lib.sh"
. "$scripts/typed.sh"

# The report that the page shows, line by line.
ran='all of docs/excite.md'
sed -n '/^  probe$/,/^```$/p' "$page" | grep -v '^```$' | grep . >"$here/shown"
while read -r line; do
    check "it says: $line" grep -qF -- "$line" "$typed"
done <"$here/shown"
check "a model comes of it" [ -s model.yaml ]
finish
