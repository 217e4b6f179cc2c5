# SPDX-License-Identifier: Apache-2.0
# Learning in adjoint form as a user meets it: on the terminal, in summary.json, by --set, check and show.
. "$(dirname "$0")/lib.sh"

# column RULE FILE: its column of a table
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } { print $at }' "$2"
}

# near VALUE VALUE TOLERANCE
near() {
    awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(a - b < c && b - a < c) }'
}

rules='rules=[{name: fm, trace: forward-model}, {name: white, trace: whitened}]'
cfpc run pursuit --online --trials 10 --set "$rules" --set learning.form=adjoint --set claims=[] --out adjoint --no-figures
succeeds
says '  fm: adjoint form, horizon M = 733 steps (733 ms), lead L = 0 steps (0 ms), 0.0001 of the filter'"'"'s energy cut off'
says '  white: adjoint form, horizon M = '
check "the summary says the form" grep -q '^  "form": "adjoint",$' adjoint/summary.json
check "and the filter" grep -q '^      "filter_horizon_steps": 733,$' adjoint/summary.json
check "and that of the whitened rule, which has a lead" awk '/"white"/ { in_it = 1 }
    in_it && /"filter_lead_steps": [1-9]/ { found = 1 } END { exit !found }' adjoint/summary.json

cfpc run pursuit --online --trials 10 --set "$rules" --set claims=[] --out traces --no-figures
succeeds
check "not a word of a form for a rule with traces" [ "$(grep -c '  fm: ' said)" -eq 0 ]
check "traces in the summary" grep -q '^  "form": "traces",$' traces/summary.json
for at in 3:0.005 8:0.004 11:0.0005; do # trials 2, 7 and 10
    row=${at%:*}
    check "trial $((row - 1)) is near that by traces" near "$(column fm adjoint/curves.csv | sed -n "${row}p")" \
        "$(column fm traces/curves.csv | sed -n "${row}p")" "${at#*:}"
done
column white adjoint/curves.csv >with
column white traces/curves.csv >without
check "a whitened rule is in adjoint form anyway" same with without

# What was run is written down and repeats.
cfpc run adjoint/spec.yaml --out again --no-figures
succeeds
check "the same again" same adjoint/curves.csv again/curves.csv

# ---- check, show, refused ---------------------------------------------------------------------

cfpc check pursuit --set learning.form=adjoint
succeeds
says '  rule fm-et: adjoint form, horizon M = 733 steps (733 ms)'
cfpc show pursuit --set learning.form=adjoint --set rules.wh.trace=whitened
succeeds
check "the form is shown" grep -q '^  form: adjoint  *# traces: every synapse has a trace' said
check "and what may be cut off" grep -q '^  neglect: 0.0001  *# in adjoint form' said
check "and the whitened rule's own key" grep -q '^    whitening_rho: 0.001 ' said
check "no other rule has it" [ "$(grep -c 'whitening_rho' said)" -eq 1 ]
cfpc run pursuit --set learning.form=sideways --out bad
refuses 2 "'form' cannot be 'sideways'; it may be traces, adjoint"
cfpc run pursuit --set learning.form=adjoint --set rules.wh.update=normalised --out bad
refuses 2 "rule 'wh' learns in adjoint form, without traces to normalise by: use 'update: plain', or"
cfpc run pursuit --set learning.form=adjoint --set learning.neglect=1e-14 --out bad
refuses 2 "the teaching filter of rule 'fm-et' is longer than a trial (2500 steps, 2500 ms): lengthen the trial"
cfpc run pursuit --set rules.wh.trace=whitened --set rules.wh.whitening_rho=0 --set enters=plant-input --out bad
refuses 2 "use a 'whitening_rho' above 0"
check "nothing bad was left" [ ! -e bad ]
finish
