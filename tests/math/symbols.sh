#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# symbols.sh NM LIBRARY...: fails, with their names, if the libraries call functions of libm whose last bits differ from one C
# library or processor to another. What IEEE 754 makes exact is not among them: sqrt, floor, rint, fmod, ldexp and the like.
set -eu
nm=$1
shift
real='a?(cos|sin|tan)h?|atan2|sincos|exp(2|10|m1)?|log(10|1p|2|b)?|pow|hypot|cbrt|erfc?|[lt]gamma|gamma|lgamma_r|fma|fdim|fmin|fmax|nexttoward|j[01n]|y[01n]'
complex='c(abs|arg|a?(cos|sin|tan)h?|exp|log|sqrt|pow|proj|imag|real)'
compiler='__(mul|div)[sdxt]c3|__powi[sdxt]f2'
found=$("$nm" -u "$@" | awk '$1 == "U" { print $2 }' | sort -u | grep -xE "($real|$complex)[fl]?|$compiler" || true)
[ -z "$found" ] || { echo "not the same on every machine:" $found; exit 1; }
"$nm" --defined-only "$@" | grep -q . || { echo "$* defines nothing: is it a library?"; exit 2; }
echo "nothing of libm that is not exact"
