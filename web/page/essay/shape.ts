// SPDX-License-Identifier: Apache-2.0
// shape: what a person does to the signal o, one value per step. Each function returns a new signal.

/** o is kept within ± this; the o that is learned needs half of it. */
export const O_LIMIT = 0.4;

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** A place of the pen: a step, not always whole, and a value. */
export interface Point {
  n: number;
  value: number;
}

/** A stroke of the pen: a straight line from one point to another, in either direction. */
export function stroke(o: Float64Array, from: Point, to: Point): Float64Array {
  const drawn = o.slice();
  const [a, b] = from.n <= to.n ? [from, to] : [to, from];
  for (let n = Math.max(0, Math.ceil(a.n)); n <= Math.min(o.length - 1, b.n); n++) {
    const share = b.n > a.n ? (n - a.n) / (b.n - a.n) : 1;
    drawn[n] = clamp(a.value + share * (b.value - a.value), -O_LIMIT, O_LIMIT);
  }
  return drawn;
}

/** Moves the point at step `at` to a value. Its neighbours at ± `spacing` steps stay where they are. */
export function movePoint(o: Float64Array, at: number, spacing: number, value: number): Float64Array {
  const by = clamp(value, -O_LIMIT, O_LIMIT) - o[at]!;
  return o.map((old, n) => {
    const share = 1 - Math.abs(n - at) / spacing;
    return share > 0 ? clamp(old + by * share, -O_LIMIT, O_LIMIT) : old;
  });
}

/** A signal sent ahead of its time by some steps. What would come after the trial is 0. */
export function sentAhead(signal: Float64Array, steps: number): Float64Array {
  return signal.map((_, n) => signal[n + steps] ?? 0);
}
