# SPDX-License-Identifier: Apache-2.0
# short: pursuit, made so short that a run of it takes milliseconds.
cat >short.sed <<'EOF'
s/trial_s: 2.5/trial_s: 0.6/
s/points: .*/points: [[0, 0], [0.1, 0], [0.3, 1], [0.6, 1]]/
s/count: 20/count: 5/
s/trials: 50/trials: 4/
s/^delay_scan: .*/delay_scan: {from_ms: 0, to_ms: 50, step_ms: 50, trial: 2}/
EOF
sed -f short.sed "$pursuit" | sed '/^claims:/,$d' >short.yaml
