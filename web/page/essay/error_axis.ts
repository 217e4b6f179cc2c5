// SPDX-License-Identifier: Apache-2.0
// error_axis: the axis of errors of chapters 4 and 5.
import type { Axis } from '../parts/figure';

/** From `low` to a power of ten above all values, and above `high`: an axis that does not change with every
    step of a slider. */
export function errorAxis(low: number, high: number, ...curves: ArrayLike<number>[]): Axis {
  let most = high;
  for (const curve of curves) {
    for (let n = 0; n < curve.length; n++) if (Number.isFinite(curve[n]!)) most = Math.max(most, curve[n]!);
  }
  const max = most > high ? 10 ** Math.ceil(Math.log10(most)) : high;
  return { label: 'error (1: without a cell)', log: true, min: low, max };
}
