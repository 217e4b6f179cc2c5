#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# amalgamation.sh SOURCE BUILD CC IS_FLOAT HELLO: the core as cfpc.h and cfpc.c is what the build has put beside the
# command, compiles without a warning by every compiler that is here, in double and in float, is C++ too (the header),
# and examples/hello.c prints with it what it prints with the library.
set -eu
source=$1 build=$2 cc=$3 is_float=$4 hello=$5
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

"$source/tools/amalgamate" "$place/a"
for file in cfpc.h cfpc.c library.json; do
    cmp "$place/a/$file" "$build/share/cfpc/firmware/$file"
done
! grep -n "$source\|$place" "$place"/a/* # no paths of this machine
! grep -n '#include "cfpc/\|[[:space:]]$' "$place/a/cfpc.h" "$place/a/cfpc.c"
! grep -n 'cfpc_step_block *(\|pragma omp' "$place/a/cfpc.c" # nothing of the blocks
python3 -m json.tool "$place/a/library.json" >/dev/null

# -Wconversion and -Wpedantic come from the parser; what only an optimiser sees is left to one compiler per machine.
warnings="-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -ffp-contract=off"
board="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"
compile() { # compile IS_FLOAT COMPILER FLAG...
    real=$1
    shift
    command -v "$1" >/dev/null || return 0
    "$@" $warnings -DCFPC_REAL_IS_FLOAT="$real" -c "$place/a/cfpc.c" -o "$place/cfpc.o" || {
        echo "refused: $* with CFPC_REAL_IS_FLOAT=$real"
        exit 1
    }
}
for real in 0 1; do
    for compiler in gcc clang arm-none-eabi-gcc; do
        compile $real $compiler -fsyntax-only
    done
done
compile 1 arm-none-eabi-gcc $board -O2
if command -v g++ >/dev/null; then
    g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c++ "$place/a/cfpc.h" 2>"$place/cpp.log" ||
        { cat "$place/cpp.log"; exit 1; }
fi

sed 's|cfpc/core.h|cfpc.h|' "$source/examples/hello.c" >"$place/a/hello.c"
compile "$is_float" "$cc" -O2
"$cc" -std=c11 -O1 -DCFPC_REAL_IS_FLOAT="$is_float" "$place/a/hello.c" "$place/cfpc.o" -lm -o "$place/hello"
"$place/hello" >"$place/with_two_files"
"$hello" | cmp - "$place/with_two_files"
