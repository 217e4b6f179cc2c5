# SPDX-License-Identifier: Apache-2.0
# typed: a page of docs, typed as it stands in an empty folder: every file it shows is written, every
# command it shows succeeds, and what it says comes out is there. Read after lib.sh; $page is its
# path, $at_least_files and $at_least_commands what it must show, $beside what of the source it finds
# in the folder, if anything.
mkdir bin empty
ln -s "$command" bin/cfpc
PATH=$here/bin:$PATH
typed=$here/typed
: >"$here/told"
cd empty || exit 1
for each in ${beside:-}; do
    ln -s "$(dirname "$page")/../$each" "$each"
done

# One line a block: "yaml FILE", "c FILE" or "sh", where it begins and where it ends.
awk '/^```/ && open { print kind, from, NR - 1; open = 0; next }
    /^```((yaml|c) [^ ]+|sh)$/ { open = 1; kind = substr($0, 4); from = NR + 1; next }
    /^```/ { open = 1; kind = "other"; from = NR + 1 }' "$page" >"$here/blocks"

files=0
commands=0
while read -r kind rest; do
    case $kind in
    yaml | c)
        set -- $rest
        sed -n "$2,$3p" "$page" >"$1"
        files=$((files + 1))
        ;;
    sh)
        set -- $rest
        sed -n "$1,$2p" "$page" >"$here/lines"
        while read -r line; do
            ran=$line
            sh -c "$line" >>"$typed" 2>"$here/told" </dev/null
            code=$?
            ends 0
            commands=$((commands + 1))
        done <"$here/lines"
        ;;
    esac
done <"$here/blocks"
ran='all of it'
code=0
check "the page shows files" [ "$files" -ge "$at_least_files" ]
check "the page shows commands" [ "$commands" -ge "$at_least_commands" ]

# What "It answers `…`" says was said.
tr '\n' ' ' <"$page" | grep -o 'It answers `[^`]*`' | sed 's/^It answers `//; s/`$//' >"$here/answers"
while read -r answer; do
    check "it answers: $answer" grep -qF -- "$answer" "$typed"
done <"$here/answers"

# What stands in `out/…` is there; a figure only where gnuplot draws it.
cfpc version
grep -q 'gnuplot  *found' "$here/said" && draws=yes || draws=no
grep -o '`out/[^`]*`' "$page" | tr -d '`' | sort -u >"$here/paths"
while read -r path; do
    case $draws$path in
    no*.png | no*.svg) ;;
    *) check "$path is there" [ -s "$path" ] ;;
    esac
done <"$here/paths"
