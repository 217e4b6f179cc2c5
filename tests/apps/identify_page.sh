# SPDX-License-Identifier: Apache-2.0
# docs/identify.md can be typed as it stands, and what it promises happens.
page=$(cd "$2/../docs" && pwd)/identify.md
scripts=$(cd "$(dirname "$0")" && pwd)
at_least_files=4
at_least_commands=7
. "$scripts/lib.sh"
. "$scripts/typed.sh"

# The last trial's error: the second column of curves.csv.
last_of() { # last_of RUN
    tail -n 1 "out/$1/curves.csv" | cut -d , -f 2
}

ran='all of docs/identify.md'
check "a rate is certified for every model in the band" grep -q 'every model in the band  *weights monotone below' "$typed"
check "the machine does what was promised" awk "BEGIN { exit !($(last_of learns) < 1.1 * $(last_of certified)) }"
check "the certified settings reach 0.3 %" awk "BEGIN { exit !($(last_of fast) < 0.003) }"
finish
