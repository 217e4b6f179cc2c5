# SPDX-License-Identifier: Apache-2.0
# What the command says of itself, and how it refuses words it does not know.
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/lib.sh"

man=$source/docs/cfpc.1

# ---- help -------------------------------------------------------------------------------------

for words in "" help --help -h; do
    cfpc $words
    succeeds
    says 'usage: cfpc VERB'
    for verb in excite identify analyse run export inspect sweep compare list show check help version; do
        check "help names $verb" grep -q "^  $verb " said
    done
done
for words in 'help run' 'run --help' 'run -h' 'run pursuit --help'; do
    cfpc $words
    succeeds
    says 'usage: cfpc run SPEC'
    for option in --out --set --repeat --rule --trials --learning-rate --online --force --quiet --no-figures; do
        check "help run names $option" grep -q -e "^  $option " said
    done
    says 'Exit code: 0 done, 1 the run failed'
done
check "nothing was run" [ ! -e out ]

# ---- the man page -----------------------------------------------------------------------------

# What the synopsis says of a verb.
in_synopsis() { # in_synopsis VERB
    awk -v verb="$1" '/^\.Sh/ { on = $2 == "SYNOPSIS" } /^\.Nm/ { here = 0 }
        on && /^\.Cm/ && $2 == verb { here = 1 } here' "$man"
}

cfpc help
sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' said >verbs
check "help lists verbs" [ "$(wc -l <verbs)" -ge 9 ]
while read -r verb; do
    in_synopsis "$verb" >synopsis
    check "the man page's synopsis has $verb" [ -s synopsis ]
    check "the man page describes $verb" grep -q "^\.It Cm $verb\>" "$man"
    cfpc help "$verb"
    sed -n 's/^  --\([a-z-]*\) .*/\1/p' said >options
    while read -r option; do
        check "the man page's synopsis of $verb has --$option" grep -q "Fl Fl $option\>" synopsis
    done <options
done <verbs
check "the verbs are in the order of the work" grep -q '^excite identify analyse run export ' <<VERBS
$(paste -sd ' ' verbs)
VERBS
awk '/^\.Sh/ { on = $2 == "SYNOPSIS" } on && /^\.Cm/ && $2 != last { print last = $2 }' "$man" >listed
check "the man page's synopsis has them in the same order" same listed verbs
sed -n 's/^\.It Cm \([a-z]*\).*/\1/p' "$man" >listed
check "and so has its description" same listed verbs

# ---- version, list, show ----------------------------------------------------------------------

cfpc --version
succeeds
check "the version comes first" grep -qx 'cfpc [0-9.]*' said
says 'core precision'
cp said version
cfpc version
check "version and --version are one" same said version

cfpc list
succeeds
says 'pursuit          Smooth pursuit of a moving target'
cfpc show pursuit
succeeds
says 'name: pursuit '
says 'measurement_delay_ms: 0 '
cp said own.yaml
for path in own.yaml ./own.yaml "$here/own.yaml"; do
    cfpc show "$path"
    succeeds
    check "what show prints reads back the same" same said own.yaml
done

# ---- refusals ---------------------------------------------------------------------------------

cfpc rnu
refuses 2 "unknown verb 'rnu'; did you mean 'run'?"
cfpc tune pursuit
refuses 2 "unknown verb 'tune'; a run tunes what the key \`tune\` of its spec and rules says: cfpc help spec"
cfpc sweep pursuit --seed 3
refuses 2 "unknown option '--seed'; use --set seed=N"
cfpc check pursuit --set rules.fmet.leak=1
refuses 2 "there is no 'fmet' to set; did you mean 'fm-et'?"
for word in none null '~'; do
    cfpc show recurrent --set loop.feedforward=$word --set enters=plant-input
    check "loop.feedforward=$word leaves it out" grep -q '^  # feedforward: ' said
done
cfpc analyse pursuit --set teach.signal=command --set enters=plant-input --set \
    'basis={kind: derivatives, count: 3, input: reference}' --json
check "what falls and what does not is said" grep -q 'every trial, but the error does not fall with them' said
cfpc frobnicate
refuses 2 "unknown verb 'frobnicate'; it may be excite, identify, analyse, run, export, inspect, sweep, compare, list, show, check, help, version"
cfpc help rnu
refuses 2 "unknown verb 'rnu'; did you mean 'run'?"
cfpc ''
refuses 2 "unknown verb ''"
cfpc run
refuses 2 'this needs the name of an experiment (cfpc list) or a spec file'
cfpc show
refuses 2 'this needs the name of an experiment'
cfpc run prusuit
refuses 2 "no experiment 'prusuit'; did you mean 'pursuit'?"
cfpc show prusuit
refuses 2 "no experiment 'prusuit'; did you mean 'pursuit'?"
cfpc run pursuit again
refuses 2 "unexpected argument 'again' (cfpc help run)"
cfpc list pursuit
refuses 2 "unexpected argument 'pursuit' (cfpc help list)"
cfpc run pursuit --trails 3
refuses 2 "unknown option '--trails'; did you mean '--trials'? (cfpc help run)"
cfpc run pursuit -x
refuses 2 "unknown option '-x'; it may be --out, --set, --rule,"
cfpc list --all
refuses 2 "unknown option '--all'; this verb has none"
for option in --out --set --repeat --rule --trials --learning-rate; do
    cfpc run pursuit "$option"
    refuses 2 "$option needs a value"
done
for option in --online --force --quiet --no-figures; do
    cfpc run pursuit "$option=yes"
    refuses 2 "$option takes no value"
done
for value in 0 -3 2.5 1e3 ten 3x 1000001 99999999999999999999 ''; do
    cfpc run pursuit --trials "$value"
    refuses 2 "--trials must be a whole number from 1 to 1000000; this is '$value'"
done
for value in 0 -1 nan inf 1e999 fast 1x ''; do
    cfpc run pursuit --learning-rate "$value"
    refuses 2 "--learning-rate must be a number above 0; this is '$value'"
done
cfpc run pursuit --rule hebb
refuses 2 "pursuit has no rule 'hebb'; it may be fm-et, wh, wh+50ms, wh+70ms"
cfpc run pursuit --rule wh+50
refuses 2 "pursuit has no rule 'wh+50'; did you mean 'wh+50ms'?"
cfpc run pursuit --out ''
refuses 2 "'' does not name a folder for the result"
check "nothing was run" [ ! -e out ]
finish
