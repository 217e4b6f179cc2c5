# SPDX-License-Identifier: Apache-2.0
# lib: what the tests of the command share. Usage of every test: sh TEST.sh COMMAND EXPERIMENTS
# Each runs in a folder of its own, goes on after a failure, and ends with `finish`.
set -u
command=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
pursuit=$(cd "$2" && pwd)/pursuit.yaml
unset CFPC_EXPERIMENTS
failures=0
here=$(mktemp -d "${TMPDIR:-/tmp}/cfpc-test-XXXXXX") || exit 1
trap 'cd / && chmod -R u+w "$here" && rm -rf "$here"' EXIT
trap 'exit 1' INT TERM HUP
cd "$here" || exit 1

# ---- running ---------------------------------------------------------------------------------

# Runs the command; keeps what it says in $here/said and $here/told, and its exit code in $code.
cfpc() {
    "$command" "$@" >"$here/said" 2>"$here/told"
    code=$?
    ran="cfpc $*"
}

# Runs the command with a call of the system that fails: with_fault FAULT_NAME=VALUE WORDS...
with_fault() {
    fault=$1
    shift
    env "$fault" "LD_PRELOAD=$CFPC_FAULTS" "$command" "$@" >"$here/said" 2>"$here/told"
    code=$?
    ran="$fault cfpc $*"
}

# Puts a gnuplot of our own, with this body, in front of any other.
with_gnuplot() { # with_gnuplot BODY
    mkdir -p "$here/bin"
    printf '#!/bin/sh\n[ "$1" = --version ] && exit\nname=${1%%.gp}\n%s\n' "$1" >"$here/bin/gnuplot"
    chmod +x "$here/bin/gnuplot"
    PATH=$here/bin:$path
}

path=$PATH
without_gnuplot() {
    PATH=/nonexistent
}

as_before() {
    PATH=$path
}

# A whole Purkinje cell takes too long for a test.
fewer_synapses() { # fewer_synapses SPEC
    sed -i 's/, 20000, 200000, 1500000]/, 5000]/; s/scale\.1500000/scale.5000/' "$1"
}

# A rate at which the numbers overflow: what follows is infinite or none.
until_it_diverges() { # until_it_diverges SPEC
    sed -i -E 's/rate_fraction: [0-9.]+/rate_fraction: 1e8/; /^claims:/,$d' "$1"
}

# A few trials of every phase, and nothing that depends on more.
few_trials() { # few_trials SPEC...
    sed -i -E 's/\<trials: [0-9]+/trials: 2/; s/rate_fractions: \[.*\]/rate_fractions: [0.01, 0.1]/; s/evaluations: [0-9]+/evaluations: 4/
        s/^population:.*/population: {count: 1, trials: 3, evaluations: 4}/; /^(story|claims):/,$d' "$@"
}

skip() {
    echo "skipped: $*"
    exit 77
}

finish() {
    [ "$failures" -eq 0 ] || echo "$failures failed"
    [ "$failures" -eq 0 ]
    exit
}

# ---- checks ----------------------------------------------------------------------------------

failed() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    echo "  after: $ran (exit code $code)" | cut -c 1-300
    sed 's/^/  told: /' "$here/told" | head -n 5 | cut -c 1-300
}

# The check that is a shell command: check WHAT COMMAND...
check() {
    what=$1
    shift
    "$@" || failed "$what"
}

ends() { # ends CODE
    [ "$code" -eq "$1" ] || failed "the exit code is not $1"
}

says() { # says WORDS: they stand on stdout
    grep -qF -- "$1" "$here/said" || failed "it does not say: $1"
}

# One line on stderr that begins with "cfpc: " and holds these words, and no control characters.
tells() { # tells WORDS
    [ "$(wc -l <"$here/told")" -eq 1 ] || failed "it tells $(wc -l <"$here/told") lines, not 1"
    grep -q '^cfpc: ' "$here/told" || failed "its line does not begin with 'cfpc: '"
    grep -qF -- "$1" "$here/told" || failed "it does not tell: $1"
    ! grep -q '[[:cntrl:]]' "$here/told" || failed "control characters"
}

tells_nothing() {
    [ ! -s "$here/told" ] || failed "it tells something"
}

# Refused or failed: this code and these words, and nothing on stdout.
refuses() { # refuses CODE WORDS
    ends "$1"
    tells "$2"
    check "it says nothing" [ ! -s "$here/said" ]
}

succeeds() {
    ends 0
    tells_nothing
}

is_empty() { # is_empty FOLDER
    [ -z "$(ls -A "$1")" ]
}

same() { # same FILE FILE
    cmp -s "$1" "$2"
}
