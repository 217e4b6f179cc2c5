# SPDX-License-Identifier: Apache-2.0
# An FMU is one file, complete or not at all: a zip archive with a library, if there is a compiler, and its sources.
# (tools/check-peers fmu lets FMPy judge what is in it.)
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/short.sh"

without_compiler() { # without_compiler WORDS...: the command as on a machine that has none
    PATH=/nonexistent
    cfpc "$@"
    as_before
}

inside() { # inside FMU: the names of its files
    python3 -c 'import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print("\n".join(archive.namelist()))' "$1"
}

# ---- with a compiler --------------------------------------------------------------------------

cfpc export short.yaml --as fmu --out new/cell.fmu
succeeds
says "rule 'fm-et' of pursuit, double, 5 synapses, in new/cell.fmu"
check "nothing else is left" [ "$(ls -A new)" = cell.fmu ]
inside new/cell.fmu >names
for name in modelDescription.xml sources/buildDescription.xml sources/fmu.c sources/fmi3.h sources/fmu_cell.c \
    sources/fmu_cell.h sources/fm_et_model.c sources/fm_et_model.h sources/cfpc.c sources/cfpc.h; do
    check "it has $name" grep -qx "$name" names
done
check "it has a library" grep -q '^binaries/[a-z0-9_]*-[a-z]*/fm_et\.' names
python3 -m zipfile -e new/cell.fmu unpacked
nm -D --defined-only unpacked/binaries/*/fm_et.* >symbols
check "with the 75 functions of FMI 3.0" [ "$(grep -c ' T fmi3' symbols)" -eq 75 ]
check "and nothing else" [ "$(grep -c ' T ' symbols)" -eq 75 ]
check "the description is XML" python3 -c 'import xml.dom.minidom
xml.dom.minidom.parse("unpacked/modelDescription.xml")'
check "no path of this machine" [ -z "$(grep -rlF "$here" unpacked/sources unpacked/modelDescription.xml)" ]

# ---- its sources, called as an importer may ----------------------------------------------------

without_compiler export recurrent --as fmu --out bank.fmu # a bank that a signal drives
python3 -m zipfile -e bank.fmu bank
without_compiler export pursuit-online --as fmu --out going.fmu # in time, without trials
python3 -m zipfile -e going.fmu going
cc -std=c11 -c unpacked/sources/cfpc.c -o cfpc.o # the same in all of them
for folder in unpacked bank going; do
    cc -std=c11 -I$folder/sources "$(dirname "$pursuit")/../tests/fmu/state.c" $folder/sources/fmu_cell.c cfpc.o -o state
    check "$folder: late times, pointers to nothing and wrong states are harmless" ./state
done

# ---- without one ------------------------------------------------------------------------------

without_compiler export short.yaml --as fmu --out bare.fmu
succeeds
says 'its sources only, no library: there is no compiler (cc)'
without_compiler export short.yaml --as fmu --out again.fmu
check "the same cell gives the same file" same bare.fmu again.fmu
inside bare.fmu >names
check "it has no library" [ "$(grep -c binaries names)" -eq 0 ]
mkdir -p bin
printf '#!/bin/sh\necho "fmu.c:1: too old\nfor this" >&2\nexit 1\n' >bin/cc
chmod +x bin/cc
PATH=$here/bin:$path
cfpc export short.yaml --as fmu --out failing.fmu
as_before
refuses 1 'failing.fmu: the compiler (cc) failed: fmu.c:1: too old for this'
check "nothing is written" [ -z "$(ls | grep failing)" ]
without_compiler export short.yaml --as fmu
check "its place by default" [ -s out/pursuit-fm_et.fmu ]
without_compiler export short.yaml --as fmu --real float --name other --out other.fmu
says "rule 'fm-et' of pursuit, float, 5 synapses, in other.fmu"
check "another cell, another token" [ "$(python3 -m zipfile -e other.fmu o && grep -o 'Token="[^"]*' o/modelDescription.xml)" != \
    "$(grep -o 'Token="[^"]*' unpacked/modelDescription.xml)" ]

for spacing in 10 20; do
    without_compiler export short.yaml --as fmu --out taps$spacing.fmu \
        --set "basis={kind: tapped-delay, count: 2, spacing_ms: $spacing, input: reference}" --set 'rules.fm-et.rate=0.1'
    python3 -m zipfile -e taps$spacing.fmu t$spacing
    grep -o 'Token="[^"]*' t$spacing/modelDescription.xml >token$spacing
done
check "other taps, another token" [ "$(cat token10)" != "$(cat token20)" ]

# ---- what is there already --------------------------------------------------------------------

cp bare.fmu old.fmu
without_compiler export short.yaml --as fmu --real float --out old.fmu
refuses 2 'old.fmu: exists already; --force replaces it, --out writes elsewhere'
check "it is as it was" same old.fmu bare.fmu
without_compiler export short.yaml --as fmu --real float --out old.fmu --force
succeeds
check "it was replaced" [ "$(inside old.fmu | head -n 1)" = modelDescription.xml ]
echo mine >mine.fmu
without_compiler export short.yaml --as fmu --out mine.fmu --force
refuses 2 'mine.fmu: exists and is not'
check "what is not ours stays" [ "$(cat mine.fmu)" = mine ]
mkdir folder.fmu
without_compiler export short.yaml --as fmu --out folder.fmu
refuses 2 'folder.fmu: exists and is not a file'

# ---- refused, and nothing written -------------------------------------------------------------

mkdir none
for place in none/cell none/.fmu none/cell.fmu/ none/cell.fmux; do
    without_compiler export short.yaml --as fmu --out $place
    refuses 2 "--out must name a file that ends in .fmu; this is '$place'"
done
without_compiler export short.yaml --as fmi --out none/cell.fmu
refuses 2 "--as must be c, bin or fmu; this is 'fmi'"
without_compiler export short.yaml --as fmu --real half --out none/cell.fmu
refuses 2 "--real must be float or double; this is 'half'"
cfpc export cascade --as fmu --out none/cell.fmu
refuses 2 'cannot be exported'
CFPC_FIRMWARE=/nonexistent "$command" export short.yaml --as fmu --out none/cell.fmu >said 2>told
code=$?
refuses 2 '/nonexistent/cfpc.h: No such file or directory'
check "nothing is left" is_empty none
finish
