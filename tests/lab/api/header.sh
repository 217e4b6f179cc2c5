# SPDX-License-Identifier: Apache-2.0
# cfpc/lab.h by itself is C, and C++ too: header.sh CC CXX INCLUDE
set -eu
[ -n "$2" ] || exit 77
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cat >"$place/uses.c" <<'C'
#include <cfpc/lab.h>
int main(void)
{
    cfpc_experiment_options options = cfpc_default_experiment_options();
    return options.trials == 0 ? (int)CFPC_DONE : (int)CFPC_FAILED;
}
C
cp "$place/uses.c" "$place/uses.cpp"
strict="-Wall -Wextra -pedantic -Werror -I$3"
"$1" -std=c17 $strict -fsyntax-only "$place/uses.c"
for standard in c++11 c++17 c++20; do
    "$2" -std=$standard $strict -fsyntax-only "$place/uses.cpp"
done
