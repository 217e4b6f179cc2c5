// SPDX-License-Identifier: Apache-2.0
// overlap: how well one curve matches another, whatever their units.

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += a[n]! * b[n]!;
  return sum;
}

/** The cosine between both: 1: the same form; 0: nothing in common; below 0: opposite. NaN if one is 0 throughout. */
export function overlap(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** One column of a row-major matrix. */
export function column(values: Float64Array, columns: number, j: number): Float64Array {
  const out = new Float64Array(values.length / columns);
  for (let n = 0; n < out.length; n++) out[n] = values[n * columns + j]!;
  return out;
}

/** Divided by its largest magnitude, so that curves of different units can be laid over each other. */
export function toPeak(values: Float64Array): Float64Array {
  const peak = values.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  return peak > 0 ? values.map((v) => v / peak) : values;
}

/** The step at which it is largest. */
export function peakAt(values: Float64Array): number {
  return values.reduce((best, v, n) => (v > values[best]! ? n : best), 0);
}
