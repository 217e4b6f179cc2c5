# SPDX-License-Identifier: Apache-2.0
# A machine without gnuplot, without experiments, with a stdout that takes nothing.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

# ---- no gnuplot -------------------------------------------------------------------------------

without_gnuplot
cfpc run pursuit --out bare
as_before
succeeds
says 'figures: not drawn, as gnuplot is not installed'
for figure in fig-story fig-behaviour fig-learning fig-traces fig-delays; do
    check "the script $figure.gp is there" [ -s "bare/$figure.gp" ]
    check "$figure.svg is not" [ ! -e "bare/$figure.svg" ]
    check "$figure.png is not" [ ! -e "bare/$figure.png" ]
done
check "the data is there" [ -s bare/fig-delays.csv -a -s bare/fig-traces.csv ]
without_gnuplot
cfpc --version
as_before
succeeds
says 'not found: no figures'
if command -v gnuplot >/dev/null; then
    check "the scripts draw later" sh -c 'cd bare && gnuplot fig-*.gp 2>/dev/null'
    check "a figure was drawn later" [ -s bare/fig-delays.svg -a -s bare/fig-delays.png ]
fi

# ---- a gnuplot that fails ---------------------------------------------------------------------

draws() { # draws BODY: a run with such a gnuplot
    with_gnuplot "$1"
    cfpc run short.yaml --out drawn/x --quiet
    as_before
}

whole='echo "<svg> a picture </svg>" >$name.svg; echo "a picture IEND...." >$name.png'
draws "$whole"
succeeds
check "what is whole is taken" [ -s drawn/x/fig-delays.png ]
rm -rf drawn
draws 'echo "no ink" >&2; exit 3'
refuses 1 'fig-behaviour.svg: gnuplot could not draw it: no ink'
check "nothing is left" [ ! -e drawn ]
draws "$whole; exit 3"
refuses 1 'fig-behaviour.svg: gnuplot could not draw it'
check "nothing is left" [ ! -e drawn ]
draws ':'
refuses 1 'fig-behaviour.svg: gnuplot could not draw it'
draws "$whole; echo '<svg><g> and no more' >\$name.svg"
refuses 1 'fig-behaviour.svg: gnuplot could not draw it: the picture is incomplete'
draws "$whole; echo 'a picture and no more' >\$name.png"
refuses 1 'fig-behaviour.png: gnuplot could not draw it: the picture is incomplete'
check "nothing is left" [ ! -e drawn ]

# ---- no experiments ---------------------------------------------------------------------------

CFPC_EXPERIMENTS=$here/nowhere
export CFPC_EXPERIMENTS
for words in 'run pursuit' 'show pursuit' list; do
    cfpc $words
    refuses 1 "$here/nowhere: experiments not found: No such file or directory"
done
mkdir mine
sed 's/^title: .*/title: my own/' "$pursuit" >mine/own.yaml
echo 'name: [' >mine/broken.yaml
echo 'no spec' >mine/notes.txt
CFPC_EXPERIMENTS=$here/mine
cfpc list
succeeds
says 'own              my own'
check "it lists all and nothing else" [ "$(wc -l <said)" -eq 2 ]
cfpc run pursuit
refuses 2 "no experiment 'pursuit'; it may be broken, own"
unset CFPC_EXPERIMENTS

# ---- a stdout that takes nothing --------------------------------------------------------------

# into_full WORDS...: runs with a stdout on a full disk; without_stdout WORDS...: with none.
into_full() {
    "$command" "$@" >/dev/full 2>told
    code=$?
    ran="cfpc $* >/dev/full"
}

without_stdout() {
    "$command" "$@" >&- 2>told
    code=$?
    ran="cfpc $* >&-"
}

for words in help 'help run' 'run --help' list --version 'show pursuit'; do
    into_full $words
    ends 1
    tells 'the output could not be written'
    without_stdout $words
    ends 1
    tells 'the output could not be written'
done
for how in into_full without_stdout; do
    $how run pursuit --no-figures --out $how
    ends 1
    tells 'the output could not be written'
    check "the result is there all the same" [ -s $how/curves.csv ]
    $how run pursuit --no-figures --out $how --force --quiet
    ends 0
    check "--quiet needs no stdout" [ ! -s told ]
done
check "no file got the output" same into_full/curves.csv without_stdout/curves.csv
finish
