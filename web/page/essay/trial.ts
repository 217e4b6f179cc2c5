// SPDX-License-Identifier: Apache-2.0
// trial: one of the trials that were learned, and what it is in words.
import type { Learned } from '../../cfpc/src/types';
import { number } from '../parts/number';
import { leadMs } from './measures';
import { STEP_MS } from './pursuit';

/** All trials, and the one that is looked at, from 1. */
export interface AtTrial {
  learned: Learned;
  r: Float64Array;
  trial: number;
}

export function trialsOf(learned: Learned): number {
  return learned.rrmse.length;
}

/** A trial's row of a (trials x columns) matrix. */
function row(values: Float64Array, trials: number, trial: number): Float64Array {
  const columns = values.length / trials;
  return values.subarray((trial - 1) * columns, trial * columns);
}

export interface Trial {
  rrmse: number;
  w: Float64Array;
  o: Float64Array;
  y: Float64Array;
  e: Float64Array;
}

export function trialOf({ learned, trial }: AtTrial): Trial {
  const trials = trialsOf(learned);
  const of = (values: Float64Array) => row(values, trials, trial);
  return {
    rrmse: learned.rrmse[trial - 1]!,
    w: of(learned.weights),
    o: of(learned.o),
    y: of(learned.y),
    e: of(learned.e),
  };
}

export function trialWords(at: AtTrial): string {
  const { rrmse, o } = trialOf(at);
  if (at.trial === 1) return 'Trial 1: all weights are 0, and the eye can only react.';
  const error = `Trial ${at.trial}: the error is ${number(rrmse * 100, 2)} % of that of trial 1`;
  const lead = leadMs(at.r, o, STEP_MS);
  const limit = number(at.learned.optimum * 100, 2);
  return `${error} (${limit} % is the least that 20 bumps allow). o begins ${number(lead)} ms before the dot moves.`;
}
