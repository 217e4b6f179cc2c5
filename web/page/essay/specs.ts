// SPDX-License-Identifier: Apache-2.0
// specs: the experiments of chapters 4 and 5 as spec texts. They are cut from experiments/pursuit.yaml and
// experiments/ringing.yaml: one rule instead of many, so that an answer comes while a slider moves.

import type { Spec } from '../../cfpc/src/types.js';

export type LoopName = 'eye' | 'arm';
export type TraceName = 'delay' | 'forward-model' | 'whitened';

/** A loop to learn on, and the delays that its slider offers. */
interface LoopText {
  text: string;
  maxDelayMs: number;
  stepMs: number;
  /** Delay that the slider starts with. */
  firstDelayMs: number;
  scanStepMs: number;
}

const TASK_OF_EYE = `task: # rest, to the right, rest, back, rest
  kind: piecewise-linear
  trial_s: 2.5
  points: [[0, 0], [0.5, 0], [1, 1], [1.5, 1], [2, 0], [2.5, 0]]
basis: {kind: gaussian, count: 20, width_ms: 50, spacing_ms: 100}
learning: {mode: batch, trials: 50, rate_fraction: 0.5}`;

const eyeLoop = (delayMs: number): string => `step_ms: 1
loop:
  plant: # the eye: a slow leaky integrator, then a fast lag
    kind: chain
    stages:
      - {kind: leaky-integrator, time_constant_ms: 100}
      - {kind: lag, time_constant_ms: 3}
  controller: {kind: pi, kp: 20, ki_per_s: 100}
  delay_ms: ${delayMs}`;

/** The delay of the eye's loop, which its forward model knows. */
export const EYE_DELAY_MS = 50;

const EYE = `${eyeLoop(EYE_DELAY_MS)}
${TASK_OF_EYE}`;

const ARM = `step_ms: 5
loop: # two lightly damped modes, 1.27 Hz and 2.86 Hz, and feedback that is slow so as not to excite them
  plant:
    kind: transfer-function
    num: [142, 142.272, 20736]
    den: [1, 2.24, 389.152, 351.36, 20736]
  controller: {kind: pi, kp: 0, ki_per_s: 0.5}
  delay_ms: 50
task: {kind: minimum-jerk, moves: [[1, 0.8, 1], [3, 0.8, 0]], trial_s: 10} # out and back, then rest
basis: {kind: gaussian, count: 60, width_ms: 40, spacing_ms: 80, first_ms: 300}
learning: {mode: batch, trials: 50, rate_fraction: 1}`;

export const LOOPS: Record<LoopName, LoopText> = {
  eye: { text: EYE, maxDelayMs: 200, stepMs: 5, firstDelayMs: 0, scanStepMs: 10 },
  arm: { text: ARM, maxDelayMs: 600, stepMs: 10, firstDelayMs: 0, scanStepMs: 50 },
};

const ruleOf = (trace: TraceName, delayMs: number): string =>
  trace === 'delay' ? `{name: synapse, trace: delay, delay_ms: ${delayMs}}` : `{name: synapse, trace: ${trace}}`;

/** Chapter 4: learning with one trace. The guard is off, to show what goes wrong. */
export function traceSpec(loop: LoopName, trace: TraceName, delayMs: number): Spec {
  return {
    file: 'when-to-learn.yaml',
    text: `name: when-to-learn
title: Learning on the ${loop}, with one trace
${LOOPS[loop].text}
guard: off
rules:
  - ${ruleOf(trace, delayMs)}
`,
  };
}

/** Chapter 4: the error at the last trial for every delay of the slider's range. */
export function scanSpec(loop: LoopName): Spec {
  const { maxDelayMs, scanStepMs } = LOOPS[loop];
  const spec = traceSpec(loop, 'forward-model', 0);
  return {
    ...spec,
    text: `${spec.text}delay_scan: {from_ms: 0, to_ms: ${maxDelayMs}, step_ms: ${scanStepMs}, trial: 50}
`,
  };
}

const GUARDED = '  - {name: guarded, trace: forward-model, set: {guard: on}}\n';

/** Chapter 5: the eye's delay is `delayMs`, its forward model believes EYE_DELAY_MS. The rule runs without the
    guard and, where that is asked for, a second time with it: the trials after the guard acted take four times
    as long to compute. */
export function wrongModelSpec(delayMs: number, guarded = true): Spec {
  return {
    file: 'wrong-model.yaml',
    text: `name: wrong-model
title: Learning with a wrong model, without and with the guard
${eyeLoop(delayMs)}
believed: {delay_ms: ${EYE_DELAY_MS}}
${TASK_OF_EYE}
rules:
  - {name: free, trace: forward-model, set: {guard: off}}
${guarded ? GUARDED : ''}`,
  };
}
