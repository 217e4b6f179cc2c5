# SPDX-License-Identifier: Apache-2.0
# cfpc compare: runs side by side, from what cfpc run leaves.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

leave() { # leave FOLDER OPTION...
    folder=$1
    shift
    cfpc run short.yaml --no-figures --quiet --out "$folder" "$@"
    succeeds
}

leave a --trials 8
leave b --trials 3 --rule wh --online
cfpc compare a b/
succeeds
says '  run rule '
check "each run's own rule" [ "$(awk '$1 == "a" || $1 == "b" { print $1, $2 }' said | tr '\n' ' ')" = 'a fm-et b wh ' ]
check "what a run lacks is left out" grep -q '^  b .* - ' said
check "one column a run and rule" [ "$(head -n 1 out/compare/compare.csv)" = \
    'trial,a:fm-et,a:wh,a:wh+50ms,a:wh+70ms,b:fm-et,b:wh,b:wh+50ms,b:wh+70ms' ]
check "as many rows as the longest has trials" [ "$(wc -l <out/compare/compare.csv)" -eq 9 ]
cut -d , -f 2-5 out/compare/compare.csv | sed 's/a://g' >columns
cut -d , -f 2-5 a/curves.csv >curves
check "the numbers are the run's" same columns curves
check "the script is there" [ -s out/compare/fig-compare.gp ]

cfpc compare a b
refuses 2 'out/compare: holds a result already; --force replaces it'
cfpc compare a b --all --force --no-figures
succeeds
check "all rules" [ "$(grep -c '^  [ab] ' said)" -eq 8 ]
check "no figure" [ ! -e out/compare/fig-compare.gp ]
cfpc compare a b --rule wh+50ms --out c --quiet
succeeds
check "quiet says nothing" [ ! -s said ]
check "the figure shows the rule" grep -q "using 1:8 with .* title 'b:wh+50ms'" c/fig-compare.gp

# ---- what it refuses --------------------------------------------------------------------------

mkdir none # stays empty
cfpc compare a nowhere --out none/x
refuses 2 "nowhere/curves.csv: No such file or directory; compare takes folders that 'cfpc run' has left"
cfpc compare a c --out none/x
refuses 2 "c/curves.csv: No such file or directory"
cfpc compare a --out none/x
refuses 2 'compare needs 2 to 12 result folders; 1 given'
cfpc compare a a a a a a a a a a a a a --out none/x
refuses 2 'compare needs 2 to 12 result folders; 13 given'
cfpc compare a b --rule hw --out none/x
refuses 2 "a: has no rule 'hw'; did you mean 'wh'?"
cfpc compare a b --rule wh --all --out none/x
refuses 2 '--rule shows one rule, --all shows all of them; give only one'
cp -R a broken
echo '{"rule": ' >broken/summary.json
cfpc compare a broken --out none/x
refuses 2 'broken/summary.json: this is not the summary of a run'
cp a/summary.json broken/summary.json
sed '$d' a/curves.csv >broken/curves.csv
cfpc compare a broken --out none/x
refuses 2 'broken/summary.json: speaks of 8 trials, curves.csv of 7'
check "nothing is left" is_empty none

# A folder may be called what it likes: nothing in its name is a command of the figure's script.
strange="a'b\`touch harm\`\"c, _{d}"
leave "$strange"
cfpc compare "$strange" "$strange" --out named
succeeds
check "its name stands in the table" grep -q '^trial,"a.b`touch harm`""c, _{d}:fm-et",' named/compare.csv
check "it does no harm" [ ! -e harm ]
check "nor in the result" [ "$(ls named | grep -c harm)" -eq 0 ]
finish
