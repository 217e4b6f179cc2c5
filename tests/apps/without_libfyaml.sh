# SPDX-License-Identifier: Apache-2.0
# A command that was built without libfyaml says so where a spec is needed, and does all else.
. "$(dirname "$0")/lib.sh"

cfpc version
succeeds
says 'libfyaml        not built in: no specs are read (Debian: libfyaml-dev)'
for words in "run $pursuit" "check $pursuit" "sweep $pursuit loop.delay_ms=20,40" "run $pursuit --set rules=[]"; do
    # shellcheck disable=SC2086 # several words
    cfpc $words
    refuses 2 'cannot be read: this cfpc was built without libfyaml, which parses YAML (Debian: libfyaml-dev)'
    check "nothing is left" [ ! -e out ]
done
cfpc help spec
succeeds
finish
