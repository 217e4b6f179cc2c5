// SPDX-License-Identifier: Apache-2.0
// measures: what the lab measures of a trial, by the definitions of docs/measures.md (in C:
// src/lab/run/measures_of_run.c), of signals that the page has.

/** The first movement of r: from rest at step `onset` to rest at step `stop`. */
interface Movement {
  onset: number;
  stop: number;
  from: number;
  by: number;
}

/** The last step from `from` on before r changes (`moving` false), or before it stops changing. */
function nextTurn(r: ArrayLike<number>, from: number, moving: boolean): number {
  let n = from;
  while (n + 1 < r.length && (r[n + 1] !== r[n]) === moving) n++;
  return n;
}

function firstMovement(r: ArrayLike<number>): Movement | null {
  const onset = nextTurn(r, 0, false);
  const stop = nextTurn(r, onset, true);
  if (!(onset < stop && stop < r.length - 1)) return null;
  return { onset, stop, from: r[onset]!, by: r[stop]! - r[onset]! };
}

/** Time in steps, interpolated, at which a signal first crosses a level; NaN: never. */
function crossing(signal: ArrayLike<number>, from: number, level: number, rising: boolean): number {
  for (let n = from; n + 1 < signal.length; n++) {
    const a = signal[n]!;
    const b = signal[n + 1]!;
    if (rising ? a <= level && b > level : a >= level && b < level) return n + (level - a) / (b - a);
  }
  return NaN;
}

/** Of the first movement: the lag is measured where this share of it is done. */
export const LAG_LEVEL = 0.8;

/** lag_ms: how much later than r the output y crosses 80 % of the first movement; NaN: it does not. */
export function lagMs(r: ArrayLike<number>, y: ArrayLike<number>, stepMs: number): number {
  const m = firstMovement(r);
  if (!m) return NaN;
  const level = m.from + LAG_LEVEL * m.by;
  const at = (signal: ArrayLike<number>) => crossing(signal, m.onset, level, m.by > 0);
  return (at(y) - at(r)) * stepMs;
}

/** lead_ms: how long before r first moves o exceeds 10 % of its maximum; NaN: there is no o. */
export function leadMs(r: ArrayLike<number>, o: ArrayLike<number>, stepMs: number): number {
  const m = firstMovement(r);
  const largest = maxAbs(o);
  if (!m || !(largest > 0) || !Number.isFinite(largest)) return NaN;
  let n = 0;
  while (Math.abs(o[n]!) <= 0.1 * largest) n++;
  return (m.onset - n) * stepMs;
}

/** rRMSE: the root-mean-square error over that of the loop without a cell. */
export function rrmse(e: ArrayLike<number>, e0: ArrayLike<number>): number {
  return Math.sqrt(squares(e) / squares(e0));
}

export function minus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, n) => value - b[n]!);
}

export function plus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, n) => value + b[n]!);
}

export function maxAbs(values: ArrayLike<number>): number {
  let largest = 0;
  for (let n = 0; n < values.length; n++) largest = Math.max(largest, Math.abs(values[n]!));
  return largest;
}

function squares(values: ArrayLike<number>): number {
  let sum = 0;
  for (let n = 0; n < values.length; n++) sum += values[n]! ** 2;
  return sum;
}
