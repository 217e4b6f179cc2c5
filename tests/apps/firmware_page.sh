# SPDX-License-Identifier: Apache-2.0
# docs/firmware.md can be typed as it stands, and the board does what the page says.
page=$(cd "$2/../docs" && pwd)/firmware.md
scripts=$(cd "$(dirname "$0")" && pwd)
at_least_files=1
at_least_commands=11
beside='CMakeLists.txt Makefile include ports src tools'
. "$scripts/lib.sh"
for tool in arm-none-eabi-gcc qemu-system-arm; do
    which "$tool" >/dev/null || skip "$tool is not installed (tools/packages firmware)"
done
. "$scripts/typed.sh"

error_in() { # error_in TRIAL LOW HIGH: whether the board's error in a trial is in this range
    awk -F , "\$1 == $1 { found = \$2 > $2 && \$2 < $3 } END { exit !found }" board.csv
}

ran='all of docs/firmware.md'
check "the error is 1 in the first trial" error_in 1 0.9999 1.0001
check "and that of the optimum in the last" error_in 50 0.0454 0.0456
check "instructions are counted" grep -q '^known_loop 2$' "$typed"
check "what was learned survives a reset" grep -q '^trial 21: mean square error 0.000024$' "$typed"
finish
