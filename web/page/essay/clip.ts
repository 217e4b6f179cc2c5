// SPDX-License-Identifier: Apache-2.0
// clip: a curve that leaves its figure ends there. What an unstable loop does after that says nothing.

export interface Clipped {
  /** NaN from where it left. */
  values: Float64Array;
  /** The step at which it left; -1: it did not. */
  leftAt: number;
}

export function clip(values: Float64Array, low: number, high: number): Clipped {
  const leftAt = values.findIndex((value) => !(value >= low && value <= high));
  if (leftAt < 0) return { values, leftAt };
  return { values: values.map((value, n) => (n < leftAt ? value : NaN)), leftAt };
}
