# SPDX-License-Identifier: Apache-2.0
# The hash of a result: cfpc run prints it and says whether it is the published one, cfpc inspect lists what it is of, and
# tools/hashes compares and writes the list.
tools=$(cd "$(dirname "$0")/../../tools" && pwd)
. "$(dirname "$0")/lib.sh"

published=$(sed -n 's/^pursuit //p' "$(dirname "$pursuit")/HASHES")
check "pursuit has a published hash" [ "${#published}" -eq 16 ]

# ---- cfpc run ---------------------------------------------------------------------------------

quietly='--no-figures --force'
cfpc run pursuit $quietly --out own
succeeds
says "  hash:    $published, the published result, bit for bit"
check "summary.json has it" grep -q "^  \"hash\": \"$published\",$" own/summary.json
cp "$pursuit" copy.yaml
for words in "pursuit --set loop.delay_ms=50" "pursuit --repeat 1" own/spec.yaml copy.yaml; do
    cfpc run $words $quietly --out again
    succeeds
    says "  hash:    $published, the published result, bit for bit"
done
for words in "pursuit --set loop.delay_ms=49" "pursuit --trials 30" "pursuit --rule wh" "pursuit --repeat 2"; do
    cfpc run $words $quietly --out other
    succeeds
    check "$words has a hash" grep -qE '^  hash:    [0-9a-f]{16}$' said
    check "it is another" [ "$(grep -c "$published" said)" -eq 0 ]
done
cfpc run pursuit $quietly --out own --quiet
check "quiet is quiet" [ ! -s said ]

mkdir specs
cp "$pursuit" specs
printf '# of others\n\npursuit 0123456789abcdef\n' >specs/HASHES
export CFPC_EXPERIMENTS="$here/specs"
for words in pursuit copy.yaml own/spec.yaml; do
    cfpc run $words $quietly --out again
    succeeds
    says "  hash:    $published: these are NOT the bits of the published result, whose hash is 0123456789abcdef"
done
for words in "pursuit --trials 30" "pursuit --seed 3"; do
    cfpc run $words $quietly --out other
    succeeds
    check "nothing is expected of $words" grep -qE '^  hash:    [0-9a-f]{16}$' said
done
rm specs/HASHES
cfpc run pursuit $quietly --out own
succeeds
check "without a list nothing is published" grep -qx "  hash:    $published" said
printf 'other 0123456789abcdef\n' >specs/HASHES
cfpc run pursuit $quietly --out own
succeeds
check "nor without a line" grep -qx "  hash:    $published" said
for line in 'pursuit' 'pursuit 0123' 'pursuit 0123456789ABCDEF' ' 0123456789abcdef' 'pursuit 0123456789abcdef0'; do
    printf '# a\n%s\n' "$line" >specs/HASHES
    cfpc run pursuit $quietly --out never
    refuses 2 "specs/HASHES:2: this is not the name of an experiment and a hash of 16 hexadecimal digits"
    check "nothing is left" [ ! -e never ]
done
unset CFPC_EXPERIMENTS

# ---- cfpc inspect -----------------------------------------------------------------------------

for path in own own/ own/summary.json; do
    cfpc inspect "$path"
    succeeds
    says "$path: a result of cfpc"
    says "  experiment       pursuit"
    says "  hash             $published"
    check "every dataset is there" [ "$(grep -cE '^  [0-9a-f]{16} [0-9x]+ +[a-z]+/' said)" -eq "$(($(wc -l <own/hashes.csv) - 1))" ]
    check "with its shape" grep -qE '^  [0-9a-f]{16} 2500x20 +traces/basis$' said
    says 'It leaves out all that is no dataset: units,'
done
(cd own && "$command" inspect summary.json) >said
says 'summary.json: a result of cfpc'
sed -i 's/^\(.\)/0\1/; s/^0\([0-9a-f]*\).\(,.*,curves\/wh\)$/\1\2/' own/hashes.csv
cfpc inspect own
refuses 2 'own/hashes.csv:1: this is not a row of hashes'
cfpc run pursuit $quietly --out own
sed 's/^[0-9a-f]\{4\}\(.*,signals\/r\)$/0000\1/' own/hashes.csv >altered
cp altered own/hashes.csv
cfpc inspect own
refuses 2 'own: its hash is not that of its datasets in hashes.csv'
rm own/hashes.csv
cfpc inspect own
refuses 2 'own/hashes.csv: No such file'
cfpc inspect specs
refuses 2 'specs/summary.json: No such file or directory; a result is a folder that '

# ---- tools/hashes -----------------------------------------------------------------------------

hashes() { # hashes WORDS...
    python3 "$tools/hashes" "$@" >"$here/said" 2>"$here/told"
    code=$?
    ran="tools/hashes $*"
}

hashes --check
succeeds
hashes --command "$command" pursuit pursuit-diverged
succeeds
says "pursuit          $published  the published result"
says 'the same, bit for bit: 2 experiments'
hashes --command "$command" persuit
ends 2
check "it says what there is" grep -q "^hashes: there is no experiment 'persuit'; there are anticogging, " told
hashes --write '' pursuit
ends 2
check "it needs a reason" grep -q '^hashes: --write needs a reason' told
hashes --write why
ends 2
check "it needs names" grep -q '^hashes: --write needs the names of experiments, or --all' told
hashes --command nowhere pursuit
ends 2
check "it needs a command" grep -q 'nowhere is not a command$' told

# A tree of its own, in which a line is wrong.
mkdir -p tree/tools tree/tests/apps
cp "$tools/hashes" "$tools/check-seeds" tree/tools
cp "$tools/../tests/apps/lib.sh" "$tools/../tests/apps/mutations.sh" tree/tests/apps
echo 'pursuit|rules.fm-et.trace=none|no-lag converged' >tree/tests/apps/mutations.txt
cp -r "$(dirname "$pursuit")" tree/experiments
tools=$here/tree/tools
list=tree/experiments/HASHES
sed -i 's/^pursuit .*/pursuit 0123456789abcdef/' $list
cp $list before
hashes --command "$command" pursuit
ends 1
says "pursuit          $published  NOT the published result, 0123456789abcdef"
hashes --command "$command" --write 'another plant' pursuit
succeeds
says 'another plant'
says '  old: pursuit 0123456789abcdef'
says "  new: pursuit $published"
check "one line is new" [ "$(diff before $list | grep -c '^>')" -eq 1 ]
check "it is this" grep -qx "pursuit $published" $list
sed -i 's/^pursuit .*/pursuit 0123456789abcdef/' $list
cp $list before
echo 'pursuit|rules.wh.trace=delay|no-lag' >>tree/tests/apps/mutations.txt
hashes --command "$command" --write 'a claim that cannot fail' pursuit
ends 2
check "mutations must break claims" grep -q '^hashes: nothing is written: .*/mutations.sh failed$' told
check "nothing was written" same $list before
sed -i 's/low: 85/low: 100/' tree/experiments/pursuit.yaml
cp $list before
hashes --command "$command" --write 'a claim that fails' pursuit
ends 2
check "claims must hold" grep -q '^hashes: nothing is written: pursuit failed, or a claim does not hold$' told
check "nothing was written" same $list before
sed -i '/^vor /d' $list
hashes --check
ends 2
check "a line is missing" grep -q 'has no line of vor; tools/hashes --write adds it$' told
finish
