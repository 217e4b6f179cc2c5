# SPDX-License-Identifier: Apache-2.0
# finds: what the tests of tools/check-docs share: a folder of their own, $here, and checks of what a tool says of a page.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

failed() {
    echo "FAILED: $1" >&2
    exit 1
}

fine() { # fine TOOL PART [PAGE]
    "$@" >"$here/said" || failed "$(cat "$here/said")"
}

# It fails, with one line for each of these patterns.
finds() { # finds TOOL PART PAGE PATTERN...
    ! "$1" "$2" "$3" >"$here/said" || failed "nothing is found"
    shift 3
    for pattern in "$@"; do
        grep -q "$pattern" "$here/said" || failed "not named: $pattern: $(cat "$here/said")"
    done
    [ "$(wc -l <"$here/said")" -eq $# ] || failed "not $# lines: $(cat "$here/said")"
}
