// SPDX-License-Identifier: Apache-2.0
// pursuit: the loop, the target and the bases of experiments/pursuit.yaml, as cfpc.js takes them. A
// test holds each of them to that file.
import type { BasisDef, LearnDef, LoopDef } from '../../cfpc/src/types';

export const STEP_MS = 1;
export const STEPS = 2500;
export const DELAY_MS = 50;

/** Time and position of the corners of the target's path: rest, to the right, rest, back, rest. */
export const CORNERS: readonly (readonly [number, number])[] = [
  [0, 0],
  [0.5, 0],
  [1, 1],
  [1.5, 1],
  [2, 0],
  [2.5, 0],
];

export const BASIS: BasisDef = { count: 20, widthMs: 50, spacingMs: 100 };

/** The eye under feedback control. `gain` multiplies the controller as a whole. */
export function pursuitLoop(delayMs = DELAY_MS, gain = 1): LoopDef {
  return {
    stepMs: STEP_MS,
    stages: [
      { kind: 'leaky-integrator', timeConstantMs: 100 },
      { kind: 'lag', timeConstantMs: 3 },
    ],
    kp: 20 * gain,
    kiPerS: 100 * gain,
    delayMs,
  };
}

/** r, one value per step, by the formula of the lab, so that it has the lab's bits. */
export function target(): Float64Array {
  return Float64Array.from({ length: STEPS }, (_, n) => positionAt(n * (STEP_MS / 1000)));
}

function positionAt(t: number): number {
  let [t0, p0] = CORNERS[0]!;
  for (const [t1, p1] of CORNERS) {
    if (t < t1) return p0 + (p1 - p0) * ((t - t0) / (t1 - t0));
    [t0, p0] = [t1, p1];
  }
  return p0;
}

/** The time of each step, in seconds. */
export function times(): Float64Array {
  return Float64Array.from({ length: STEPS }, (_, n) => n * (STEP_MS / 1000));
}

/** The time of each bump's peak, in seconds: centred in the trial. */
export function bumpTimes(basis: BasisDef = BASIS): Float64Array {
  const middle = (STEPS * STEP_MS) / 2;
  return Float64Array.from(
    { length: basis.count },
    (_, j) => (middle + (j - (basis.count - 1) / 2) * basis.spacingMs) / 1000,
  );
}

/** The paper's learning: a forward model as the trace, half the rate that corrects the strongest direction at once. */
export function pursuitLearn(trials = 50): LearnDef {
  return {
    loop: pursuitLoop(),
    basis: BASIS,
    trace: { kind: 'forward-model' },
    rateFraction: 0.5,
    trials,
    r: target(),
  };
}
