# SPDX-License-Identifier: Apache-2.0
# Bad input is refused on one line with exit code 2, and nothing is left behind.
. "$(dirname "$0")/lib.sh"

mkdir none # stays empty: every result would go into it
refused() { # refused FILE WORDS
    cfpc run "$1" --no-figures --out none/x/y
    refuses 2 "$2"
    check "nothing is left" is_empty none
}

# ---- spec files -------------------------------------------------------------------------------

refused ./missing.yaml './missing.yaml: No such file or directory'
mkdir folder.yaml
refused folder.yaml 'folder.yaml: '
printf 'name: a\000b\n' >nul.yaml
refused nul.yaml 'nul.yaml: this is not a text file'
: >empty.yaml
refused empty.yaml 'empty.yaml'
echo '- a' >list.yaml
refused list.yaml 'list.yaml:1:1: a spec or model file is a map of keys'
sed 's/count: 20/count: 0/' "$pursuit" >zero.yaml
refused zero.yaml "zero.yaml:23:32: 'count' must be at least 1; this is 0"
sed 's/^basis:/bassis:/' "$pursuit" >misspelt.yaml
refused misspelt.yaml "misspelt.yaml:23:1: unknown key 'bassis' in the spec; did you mean 'basis'?"
sed 's/kind: leaky-integrator/kind: lag/' "$pursuit" >unstable.yaml
refused unstable.yaml 'unstable.yaml:9:1: the loop is unstable'
sed 's/measure: lag_ms/measure: leg_ms/' "$pursuit" >figure.yaml
refused figure.yaml "figure.yaml:38:5: claim 'lag' names a measure 'leg_ms' that the run does not have"
cfpc check figure.yaml
refuses 2 "figure.yaml:38:5: claim 'lag' names a measure 'leg_ms' that the run does not have"
head -c 5000000 /dev/zero | tr '\0' '#' >huge.yaml
refused huge.yaml 'huge.yaml: larger than'
head -c 30000 /dev/zero | tr '\0' '[' >deep.yaml
refused deep.yaml 'deep.yaml:1:'
LC_ALL=C awk 'BEGIN { srand(7); for (i = 0; i < 20000; i++) printf "%c", 1 + int(255 * rand()) }' \
    >noise.yaml
refused noise.yaml 'noise.yaml'
long=$(head -c 300 /dev/zero | tr '\0' x)
refused "./$long" 'File name too long'
cfpc run "$long"
refuses 2 'no experiment'

# ---- the whole plan ---------------------------------------------------------------------------

# What a phase or a rule sets is refused by every verb that runs or analyses, before anything is made.
{ cat "$pursuit" && printf '%s\n' 'phases:' '  - {name: one, trials: 2}' \
    '  - {name: two, trials: 2, set: {loop.delai_ms: 60}}'; } >phases.yaml
sed 's/{name: wh, trace: none}/{name: wh, trace: none, set: {loop.delay_ms: -1}}/' "$pursuit" >rules.yaml
refused phases.yaml "unknown key 'delai_ms' in the loop; did you mean 'delay_ms'?"
refused rules.yaml "'delay_ms' must be at least 0; this is -1"
for verb in check analyse; do
    cfpc $verb phases.yaml
    refuses 2 "unknown key 'delai_ms' in the loop; did you mean 'delay_ms'?"
    cfpc $verb rules.yaml
    refuses 2 "'delay_ms' must be at least 0; this is -1"
    check "$verb leaves no folder" [ ! -e out ]
done

# ---- files that a spec names ------------------------------------------------------------------

# A table outside the spec's folder is named by an absolute path, or not at all; what stands in a file
# that is no table is not shown.
mkdir tables
printf '0\n1\n' >r.csv
echo 'me:secret' >secrets
echo 'you:secret' >>secrets
named() { # named FILE: pursuit of the table in this file, from a spec in tables
    sed "/^task:/,/^  points:/c task: {kind: csv, trial_s: 2.5, file: $1}" "$pursuit" >tables/mine.yaml
    cfpc check tables/mine.yaml
}
for file in ../r.csv ./../r.csv below/../../r.csv ..; do
    named "$file"
    refuses 2 "'$file' may be outside the folder of the spec; write an absolute path"
done
named "$here/r.csv"
succeeds
cp r.csv tables/..r.csv
named ..r.csv
succeeds
named "$here/secrets"
refuses 2 'secrets:2: field 1 must be a finite number; this is not a table of numbers'

# More stages than can be computed are refused before a matrix is made.
stages=$(awk 'BEGIN { for (i = 0; i < 3000; i++) printf "{kind: lag, time_constant_ms: 3}," }')
cfpc check pursuit --set "loop.plant.stages=[$stages]"
refuses 2 "'stages' has 3000 stages; the maximum is 200"

# ---- places for the result --------------------------------------------------------------------

echo mine >file
cfpc run pursuit --no-figures --out file
refuses 2 'file: exists and is not a folder'
cfpc run pursuit --no-figures --out file/x
refuses 2 'file/x: Not a directory'
cfpc run pursuit --no-figures --out "none/$long"
refuses 2 'File name too long'
for name in . .. / none/..; do
    cfpc run pursuit --no-figures --out "$name"
    refuses 2 'does not name a folder for the result'
done
check "the file is as it was" [ "$(cat file)" = mine ]
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed
    chmod 555 closed
    cfpc run pursuit --no-figures --out closed/x
    refuses 2 'closed: cannot be written to: Permission denied'
    cfpc run pursuit --no-figures --out closed/x/y
    refuses 2 'closed/x: cannot be made: Permission denied'
fi
check "nothing is left" is_empty none
finish
