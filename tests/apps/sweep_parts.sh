# SPDX-License-Identifier: Apache-2.0
# A sweep in parts: gathered, it has the bytes of one that was run by one machine, in whatever order
# the parts were run and however often they were killed; what does not belong together is refused.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

grid='loop.delay_ms=30:60:31 loop.controller.kp=10,20' # 62 points
sweep="sweep short.yaml $grid --threads 2"
cfpc $sweep --out whole
succeeds

part() { # part I/N FOLDER WORDS...: of the sweep
    which=$1
    to=$2
    shift 2
    cfpc $sweep --out "$to" --part "$which" "$@"
}

rows() { # rows JOURNAL: how many points it holds
    [ ! -e "$1" ] || tr '\t' ' ' <"$1" | grep -c ' done '
}

await() { # await COMMAND...: until it is true
    waited=0
    until "$@" || [ "$waited" -ge 6000 ]; do
        sleep 0.005
        waited=$((waited + 1))
    done
}

# ---- parts and their result --------------------------------------------------------------------

# Every file of the result, the figures included, whatever the order of the parts.
for order in '1 2 3 4' '3 1 4 2' '4 3 2 1'; do
    for i in $order; do
        part $i/4 parted
        succeeds
        says "pursuit: part $i/4 is complete: "
        says "; when all parts are: cfpc sweep short.yaml loop.delay_ms=30:60:31 loop.controller.kp=10,20 --out parted --threads 2 --gather"
        check "it says so in one line" [ "$(wc -l <said)" -eq 1 ]
        check "there is no result yet" [ ! -e parted ]
    done
    rm -rf kept
    cp -R parted.parts kept
    cfpc $sweep --out parted --gather
    succeeds
    says 'pursuit: 62 points, taught by'
    check "the result is that of one machine" diff -r whole parted
    check "the parts are gone" [ ! -e parted.parts ]
    rm -r parted
done
part 2/4 parted --quiet
check "quiet says nothing" [ ! -s said ]
rm -r parted.parts

# Point k is in part k mod N + 1: of 62 points part 2 of 4 has 1, 5, ..., 61.
tr '\t' ' ' <kept/part-2-of-4/journal | sed -n 's/^\([0-9]*\) done .*/\1/p' | sort -n >has
seq 1 4 61 >should
check "the points are dealt out in turn" same has should
check "every part has a journal of its own" [ "$(ls kept | paste -sd ' ')" = 'part-1-of-4 part-2-of-4 part-3-of-4 part-4-of-4' ]

# One part; more parts than points: those without a point do nothing.
cfpc sweep short.yaml loop.delay_ms=40,50 --out one --part 1/1
succeeds
cfpc sweep short.yaml loop.delay_ms=40,50 --out many --part 3/3
succeeds
says 'pursuit: part 3/3 has no points, as there are 2 in all: there is nothing to do'
check "nothing is left" [ ! -e many.parts ]
for i in 1 2; do
    cfpc sweep short.yaml loop.delay_ms=40,50 --out many --part $i/3 --quiet
    succeeds
done
for result in one many; do
    cfpc sweep short.yaml loop.delay_ms=40,50 --out $result --gather --quiet
    succeeds
done
check "the same result" diff -r one many

# All parts at once, into folders that are not there yet.
for i in 1 2 3 4 5 6; do
    "$command" $sweep --out new/deep/result --part $i/6 --quiet >said-$i 2>told-$i &
done
wait
ran='cfpc sweep, six parts at once'
cat told-* >told
tells_nothing
cfpc $sweep --out new/deep/result/ --gather --quiet
succeeds
check "the result is that of one machine" diff -r whole new/deep/result
check "nothing else is left" [ "$(ls -A new/deep)" = result ]

# Refused and diverged points are the result's, whatever part they are in.
for way in whole-bad '1/2' '2/2' gather; do
    case $way in
    whole-bad) cfpc sweep short.yaml loop.delay_ms=50,200 --out bad ;;
    gather) cfpc sweep short.yaml loop.delay_ms=50,200 --out bad-parts --gather ;;
    *) cfpc sweep short.yaml loop.delay_ms=50,200 --out bad-parts --part $way ;;
    esac
    succeeds
done
check "an unstable point is the same row" diff -r bad bad-parts
for i in 1 2; do
    cfpc sweep short.yaml loop.delay_ms=200,300 --out none --part $i/2
    succeeds
    says '1 of 2 points (0 done, 1 refused; the first: short.yaml:9:1: the loop is unstable'
done
cfpc sweep short.yaml loop.delay_ms=200,300 --out none --gather
refuses 2 'none of the 2 points can be run; the first: short.yaml:9:1: the loop is unstable'
check "the parts stay" [ -e none.parts/part-2-of-2/journal ]

# ---- killed ------------------------------------------------------------------------------------

# Starts a part that runs for long, and waits until it has some points.
slow='sweep short.yaml loop.delay_ms=30:60:31 --online --set learning.trials=1000 --threads 1 --quiet --no-figures --out slow'
"$command" $slow --part 2/2 >said 2>told &
pid=$!
ran="cfpc $slow --part 2/2"
at_work() {
    [ "$(rows slow.parts/part-2-of-2/journal)" -ge 1 ] 2>/dev/null
}
await at_work
cfpc $slow --part 2/2
refuses 2 'slow.parts/part-2-of-2: another cfpc is running this part'
cfpc $slow --gather
refuses 2 'slow.parts: '
check "it says which" grep -q 'points are missing: of 2 parts, part 1 has not run (16 points), part 2 is running (' told
check "and which to run" grep -q '; run it: cfpc sweep short.yaml .* --part 1/2$' told
kill -s KILL $pid
wait $pid 2>/dev/null
held=$(rows slow.parts/part-2-of-2/journal)
check "it was killed at work" [ "$held" -lt 15 ]
cfpc $slow --gather
refuses 2 'part 2 is unfinished ('
check "and which to run" grep -q '; run them: cfpc sweep short.yaml .* --part I/2, with I = 1-2$' told
check "nothing is written" [ ! -e slow ]
rm -r slow.parts

# Again and again until it has ended; a row that was written in part is ignored.
few='sweep short.yaml loop.delay_ms=30:60:31 --online --set learning.trials=30 --threads 1 --quiet --no-figures'
journal=killed.parts/part-1-of-2/journal
cfpc $few --out few-whole
tries=0
had=0
until [ "$had" -ge 16 ] || [ $tries -ge 60 ]; do
    tries=$((tries + 1))
    "$command" $few --out killed --part 1/2 >said 2>told &
    pid=$!
    has_more() {
        ! kill -0 $pid 2>/dev/null || [ "$(rows $journal)" -gt $((had + 2)) ] 2>/dev/null
    }
    await has_more
    kill -s KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    had=$(rows $journal)
    [ $tries -ne 2 ] || printf '5\tdone\t' >>$journal
done
ran="cfpc $few --part 1/2, killed"
check "it was killed more than once" [ $tries -gt 1 ]
cfpc $few --out killed --part 1/2
succeeds
cfpc $few --out killed --part 2/2
succeeds
cfpc $few --out killed --gather
succeeds
check "the result is that of one machine" diff -r few-whole killed

# ---- what is missing ---------------------------------------------------------------------------

cfpc $sweep --out lacking --gather
refuses 2 'lacking.parts: no part has run; run each with --part I/N, I from 1 to N'
mkdir lacking.parts
cp -R kept/part-1-of-4 kept/part-3-of-4 lacking.parts
cfpc $sweep --out lacking --gather
refuses 2 'lacking.parts: 31 of 62 points are missing: of 4 parts, parts 2,4 have not run (31 points); run them: cfpc sweep short.yaml loop.delay_ms=30:60:31 loop.controller.kp=10,20 --out lacking --threads 2 --part I/4, with I = 2,4'
check "nothing is written" [ ! -e lacking ]
cp -R kept/part-2-of-4 lacking.parts
cfpc $sweep --out lacking --gather
refuses 2 'part 4 has not run (15 points); run it: cfpc sweep'
# The command that it names runs what is missing.
sh -c "$(sed "s|.*run it: cfpc|$command|" told)" >said
says 'part 4/4 is complete: 15 of 62 points'
cfpc $sweep --out lacking --gather
succeeds
check "the result is that of one machine" diff -r whole lacking

# ---- what does not belong together -------------------------------------------------------------

there() { # there: the four parts are in mixed.parts, as they were
    rm -rf mixed.parts
    cp -R kept mixed.parts
}
unchanged() {
    check "nothing is lost" diff -r kept mixed.parts
    check "nothing is written" [ ! -e mixed ]
}
there
other_grid='sweep short.yaml loop.delay_ms=30:60:31 loop.controller.kp=10,21 --threads 2'
sed 's/kp: 20/kp: 19/' short.yaml >other.yaml
for way in '--part 2/4' --gather; do
    cfpc $other_grid --out mixed $way
    refuses 2 "-of-4: is of a sweep with another grid; use that, another --out, or remove the folder"
    cfpc $sweep --set loop.controller.ki_per_s=90 --out mixed $way
    refuses 2 'is of a sweep with other settings'
    cfpc sweep other.yaml $grid --out mixed $way
    refuses 2 'is of a sweep with another path of the spec'
    cp short.yaml kept.yaml
    echo '# another' >>short.yaml
    cfpc $sweep --out mixed $way
    refuses 2 'is of a sweep with another spec'
    mv kept.yaml short.yaml
done
part 2/5 mixed
refuses 2 'mixed.parts: holds parts of a sweep in 4, not in 5; remove that folder, or use another --out'
unchanged

# A part that got in by hand is found by who gathers, and named.
rm -r mixed.parts/part-3-of-4
cfpc $other_grid --out other --part 3/4 --quiet
cp -R other.parts/part-3-of-4 mixed.parts
cfpc $sweep --out mixed --gather
refuses 2 'mixed.parts/part-3-of-4: is of a sweep with another grid'
there
sed -i 's/^version [^ ]*/version 0.0.1/' mixed.parts/part-4-of-4/journal
cfpc $sweep --out mixed --gather
refuses 2 'mixed.parts/part-4-of-4: is of a sweep with another version'
there
precision=$(sed -n 's/^version [^ ]* //p' mixed.parts/part-4-of-4/journal)
sed -i "s/^\(version [^ ]*\) $precision/\1 other/" mixed.parts/part-4-of-4/journal
cfpc $sweep --out mixed --gather
refuses 2 'mixed.parts/part-4-of-4: is of a sweep with another precision'
there
rm -r mixed.parts/part-3-of-4
cp -R kept/part-2-of-4 mixed.parts/part-3-of-4 # the same points in two parts
cfpc $sweep --out mixed --gather
refuses 2 'mixed.parts/part-3-of-4: does not hold the journal of part 3/4; move it away'
part 3/4 mixed
refuses 2 'mixed.parts/part-3-of-4/journal: is not the journal of part 3/4'
there
grep 'done' kept/part-2-of-4/journal | head -n 1 >>mixed.parts/part-3-of-4/journal
cfpc $sweep --out mixed --gather
refuses 2 'mixed.parts/part-3-of-4/journal: holds a point that is not of part 3/4; remove its folder to run the part again'
there
cp -R kept/part-1-of-4 mixed.parts/part-1-of-8
cfpc $sweep --out mixed --gather
refuses 2 'mixed.parts: holds parts of a sweep in 4 and of one in 8; remove those of one of them'
check "nothing is written" [ ! -e mixed ]

# ---- a result in its place ---------------------------------------------------------------------

cp -R whole result
part 1/4 result
refuses 2 'result: holds a result already; --force replaces it'
cfpc $sweep --out result --gather
refuses 2 'result: holds a result already; --force replaces it'
check "nothing is left beside it" [ ! -e result.parts ]
there
mv mixed.parts result.parts
cfpc $sweep --out result --gather --no-figures
refuses 2 'result: holds a result already; --force replaces it'
check "it is as it was" diff -r whole result
check "and so are the parts" diff -r kept result.parts
cfpc $sweep --out result --gather --no-figures --force
succeeds
check "it is replaced" [ ! -e result/fig-sweep.gp ]
check "the parts are gone" [ ! -e result.parts ]

# ---- words -------------------------------------------------------------------------------------

mkdir none-of-it
for value in 2 1/ /4 a/b 1/4x 1.5/4 ' 1/4' +1/4 1//4 1/4/2 -1/4 ''; do
    part "$value" none-of-it/x
    refuses 2 "--part must be I/N, part I of N, e.g. 2/4; this is '$value'"
done
for value in 0/4 5/4 99999999999999999999/4; do
    part $value none-of-it/x
    refuses 2 "--part $value: the part must be from 1 to 4"
done
for value in 1/0 0/0 1/1000001 1/99999999999999999999; do
    part $value none-of-it/x
    refuses 2 "--part $value: the number of parts must be from 1 to 1000000"
done
part 1/4 none-of-it/x --gather
refuses 2 '--part and --gather cannot be given together'
part 1/4 none-of-it/x --slurm 4
refuses 2 '--part and --slurm cannot be given together'
cfpc $sweep --gather --slurm 4 --out none-of-it/x
refuses 2 '--gather and --slurm cannot be given together'
part 1/4 none-of-it/x --measure lag
refuses 2 "no point has a measure 'lag'; did you mean 'lag_ms'?"
check "nothing is left" is_empty none-of-it

# ---- a machine that fails ----------------------------------------------------------------------

if [ -n "${CFPC_FAULTS:-}" ]; then
    with_fault FAULT_LOCK=no $sweep --out locked --part 1/2
    refuses 1 'locked.parts/part-1-of-2/journal: cannot be locked: No locks available'
    rm -rf locked.parts

    # A point that failed is tried again by its part; gathered meanwhile, it is a row that says so.
    few='sweep short.yaml loop.delay_ms=30:50:3 --threads 1 --quiet --no-figures'
    cfpc $few --out few
    with_fault FAULT_COUNT=count $few --out counted --part 1/2
    succeeds
    rm -r counted.parts
    failed=0
    for percent in 50 60 70; do
        with_fault FAULT_MALLOC=$(($(cat count) * percent / 100)) $few --out part/x --part 1/2
        [ "$code" -ne 0 ] && refuses 1 'memory ran out'
        cfpc $few --out part/x --part 2/2
        succeeds
        if tr '\t' ' ' <part/x.parts/part-1-of-2/journal | grep -q '^[0-9]* failed '; then
            failed=$((failed + 1))
            cfpc $few --out part/x --gather
            refuses 1 '; to try again: --part I/2 with I = 1, then --gather'
            check "the row says so" grep -q '^[0-9]*,failed,' part/x/sweep.csv
        fi
        cfpc $few --out part/x --part 1/2
        succeeds
        cfpc $few --out part/x --gather
        succeeds
        check "then all points are there" diff -r few part/x
        check "and the parts are gone" [ "$(ls -A part)" = x ]
        rm -r part
    done
    check "points failed" [ $failed -gt 0 ]
fi
finish
