#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# symbols_refused.sh NM OBJECT NAME...: fails unless symbols.sh refuses the object for these names.
set -u
here=$(dirname "$0")
nm=$1 object=$2
shift 2
said=$(sh "$here/symbols.sh" "$nm" "$object")
[ $? -eq 1 ] || { echo "not refused: $said"; exit 1; }
for name in "$@"; do
  case "$said " in
    *" $name "*) ;;
    *) echo "$name is missing in: $said"; exit 1 ;;
  esac
done
