# SPDX-License-Identifier: Apache-2.0
# finds: what the tests of tools/check-words and tools/check-references share: a folder of their own, $here, and checks
# of what a tool says of a page.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

failed() {
    echo "FAILED: $1" >&2
    exit 1
}

fine() { # fine TOOL [PAGE]
    "$@" >"$here/said" || failed "$(cat "$here/said")"
}

# It fails, with one line for each of these patterns.
finds() { # finds TOOL PAGE PATTERN...
    ! "$1" "$2" >"$here/said" || failed "nothing is found"
    shift 2
    for pattern in "$@"; do
        grep -q "$pattern" "$here/said" || failed "not named: $pattern: $(cat "$here/said")"
    done
    [ "$(wc -l <"$here/said")" -eq $# ] || failed "not $# lines: $(cat "$here/said")"
}
