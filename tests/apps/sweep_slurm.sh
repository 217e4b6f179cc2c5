# SPDX-License-Identifier: Apache-2.0
# The Slurm job of a sweep: what is in its scripts, how they are quoted and submitted. Slurm itself is
# a script here; tools/check-slurm uses the real one.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

# An sbatch that notes how it is called, and runs the parts of an array, or the script, at once.
with_sbatch() { # with_sbatch BODY
    mkdir -p "$here/bin"
    printf '#!/bin/sh\n%s\n' "$1" >"$here/bin/sbatch"
    chmod +x "$here/bin/sbatch"
    PATH=$here/bin:$path
}
runs='echo "$@" >>"$here/calls"
array= && for word in "$@"; do
    case $word in --array=*) array=${word#--array=} ;; esac
    script=$word
done
[ -n "$array" ] || array=$(sed -n "s/^#SBATCH --array=1-//p" "$script" | xargs -r seq -s , 1)
if [ -n "$array" ]; then
    for i in $(echo "$array" | tr , " "); do
        SLURM_ARRAY_TASK_ID=$i sh "$script" >>"$here/log" 2>&1 || exit
    done
    echo "12;cluster"
else
    sh "$script" >>"$here/log" 2>&1 && echo 13
fi'
export here

# ---- the scripts -------------------------------------------------------------------------------

grid='loop.delay_ms=30:50:5'
cfpc sweep short.yaml $grid --slurm 2 --out plain
succeeds
says 'pursuit: 5 points in 2 parts of 1 CPU are a Slurm job in plain.slurm; submit it: sh plain.slurm/submit.sh'
check "it says so in one line" [ "$(wc -l <said)" -eq 1 ]
check "nothing was run" [ ! -e plain.parts ]
cat >should <<SCRIPT
#!/bin/sh
# One part of the sweep per task of the array. To run parts again: sh submit.sh 2,5-7
#SBATCH --job-name=pursuit
#SBATCH --array=1-2
#SBATCH --cpus-per-task=1
cd $here || exit
exec $command sweep short.yaml $grid --out plain --threads 1 --part "\${SLURM_ARRAY_TASK_ID:?}/2"
SCRIPT
check "the parts" same should plain.slurm/parts.sh
cat >should <<SCRIPT
#!/bin/sh
# The result of all parts.
#SBATCH --job-name=gather-pursuit
cd $here || exit
exec $command sweep short.yaml $grid --out plain --gather
SCRIPT
check "the gathering" same should plain.slurm/gather.sh
for script in plain.slurm/*.sh; do
    check "$script is read by sh" sh -n "$script"
done

cfpc sweep short.yaml $grid --slurm 2 --out plain
refuses 2 'plain.slurm: holds a result already; --force replaces it'
cfpc sweep short.yaml $grid --slurm 3 --threads 2 --out plain --force --slurm-option --time=01:00:00 --slurm-option '--comment=a "b" #c'
succeeds
says 'in 3 parts of 2 CPUs'
check "the options of sbatch are lines" grep -qx '#SBATCH --time=01:00:00' plain.slurm/parts.sh
check "of both scripts" grep -qx '#SBATCH --time=01:00:00' plain.slurm/gather.sh
check "quoted" grep -qxF '#SBATCH "--comment=a \"b\" #c"' plain.slurm/parts.sh
check "the threads are CPUs" grep -qx '#SBATCH --cpus-per-task=2' plain.slurm/parts.sh
check "and threads" grep -q -- ' --threads 2 --part ' plain.slurm/parts.sh

# Words that a shell would change: in the folder, the paths and the values.
hard="it's \$HOME \"x\" \`id\` ;&|<>*?[a]\\ #~"
mkdir "$hard"
cp short.yaml "$hard/-it's \$HOME.yaml"
(
    cd "$hard" || exit
    with_sbatch "$runs"
    "$command" sweep --slurm 2 --submit --out "out $hard" --set "title=$hard" --no-figures -- "-it's \$HOME.yaml" $grid >../said 2>../told
)
code=$?
ran='cfpc sweep --slurm with hard words'
succeeds
says 'submitted: the parts as job 12, the gathering as job 13'
check "it ran" [ -s "$hard/out $hard/sweep.csv" ]
check "with its title" grep -qF "HOME" "$hard/out $hard/spec.yaml"
check "nothing else" [ ! -e "$hard/out $hard.parts" ]
rm -f calls log

# ---- submitting --------------------------------------------------------------------------------

with_sbatch "$runs"
cfpc sweep short.yaml $grid --no-figures --quiet --out whole
cfpc sweep short.yaml $grid --no-figures --slurm 2 --submit --out sub/x
succeeds
says 'submitted: the parts as job 12, the gathering as job 13'
check "the same result" diff -r whole sub/x
check "the array first, the gathering after it" [ "$(paste -sd '|' calls)" = '--parsable parts.sh|--parsable --dependency=afterok:12 --kill-on-invalid-dep=yes gather.sh' ]
rm -r sub/x calls
sh sub/x.slurm/submit.sh 1,2 >said 2>told # from wherever it is called
code=$?
succeeds
check "parts by their numbers" grep -qx -- '--parsable --array=1,2 parts.sh' calls
check "the same result" diff -r whole sub/x

with_sbatch 'echo "sbatch: error: invalid partition specified: fast" >&2; exit 1'
cfpc sweep short.yaml $grid --slurm 2 --submit --out failing
refuses 1 'sbatch failed: sbatch: error: invalid partition specified: fast'
check "the job is there" [ -s failing.slurm/submit.sh ]
with_sbatch 'case $* in *gather.sh) echo "no such job" >&2; exit 1 ;; esac; echo 7'
cfpc sweep short.yaml $grid --slurm 2 --submit --out half
refuses 1 'the parts are submitted as job 7, the gathering is not: submit gather.sh after them'
as_before

# ---- what is refused ---------------------------------------------------------------------------

mkdir none
if command -v sbatch >/dev/null; then
    PATH=/nonexistent
fi
cfpc sweep short.yaml $grid --slurm 2 --submit --out none/x
as_before
refuses 2 '--submit needs sbatch of Slurm, which is not in PATH; without --submit the job is written, to be submitted elsewhere'
for value in 0 -1 two 1.5 '' 1000001; do
    cfpc sweep short.yaml $grid --slurm "$value" --out none/x
    refuses 2 "--slurm must be a whole number from 1 to 1000000; this is '$value'"
done
cfpc sweep short.yaml $grid --slurm 6 --out none/x
refuses 2 '--slurm 6: the sweep has 5 points; give at most 5'
cfpc sweep short.yaml $grid --submit --out none/x
refuses 2 '--submit needs --slurm N'
cfpc sweep short.yaml $grid --slurm-option --time=1 --out none/x
refuses 2 '--slurm-option needs --slurm N'
for value in time=1 '' -; do
    cfpc sweep short.yaml $grid --slurm 2 --slurm-option "$value" --out none/x
    refuses 2 "--slurm-option must be an option of sbatch, as --time=1:00:00; this is '$value'"
done
cfpc sweep short.yaml $grid --slurm 2 --slurm-option "--comment=a
b" --out none/x
refuses 2 '--slurm-option must be one line'
cfpc sweep short.yaml $grid --slurm 2 --out whole
refuses 2 'whole: holds a result already'
cfpc sweep short.yaml $grid --slurm 2 --measure lag --out none/x
refuses 2 "no point has a measure 'lag'"
cfpc sweep short.yaml loop.delai_ms=20,40 --slurm 2 --out none/x
refuses 2 "none of the 2 points can be run; the first: setting 'loop.delai_ms=20': unknown key 'delai_ms'"
check "nothing is left" is_empty none
finish
