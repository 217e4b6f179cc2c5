// SPDX-License-Identifier: Apache-2.0
// package: the built package (cfpc/dist) and what its tests share.
import { readFileSync } from 'node:fs';
import { load } from '../cfpc/dist/cfpc.js';

export const cfpc = await load();
export const DIST = new URL('../cfpc/dist/', import.meta.url);

const experiments = JSON.parse(readFileSync(new URL('experiments.json', DIST), 'utf8'));

/** The spec of an experiment. */
export function specOf(name) {
  const { text } = experiments.find((it) => it.name === name);
  return { text, file: `${name}.yaml` };
}

/** The loop of the experiment pursuit, and its bases. */
export const LOOP = {
  stepMs: 1,
  stages: [
    { kind: 'leaky-integrator', timeConstantMs: 100 },
    { kind: 'lag', timeConstantMs: 3 },
  ],
  kp: 20,
  kiPerS: 100,
  delayMs: 50,
};
export const BASIS = { count: 20, widthMs: 50, spacingMs: 100 };

/** The largest distance between two arrays of the same length. */
export function apart(a, b) {
  if (a.length !== b.length) return Infinity;
  return a.reduce((most, it, i) => Math.max(most, Math.abs(it - b[i])), 0);
}

/** What a call throws, or what a promise rejects with. */
export async function thrownBy(call) {
  try {
    await call();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('nothing was thrown');
}
