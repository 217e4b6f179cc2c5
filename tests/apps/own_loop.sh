# SPDX-License-Identifier: Apache-2.0
# docs/own-loop.md can be typed as it stands.
page=$(cd "$2/../docs" && pwd)/own-loop.md
scripts=$(cd "$(dirname "$0")" && pwd)
at_least_files=2
at_least_commands=5
. "$scripts/lib.sh"
. "$scripts/typed.sh"
finish
