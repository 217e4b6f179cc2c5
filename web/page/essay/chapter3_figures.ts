// SPDX-License-Identifier: Apache-2.0
// chapter3_figures: what chapter 3 shows and says of one trial, from the numbers of cfpc.js alone.
import type { Cfpc, Learned } from '../../cfpc/src/types';
import type { Figure, Mark } from '../parts/figure';
import { number } from '../parts/number';
import { lateness } from './lateness';
import { lagMs, leadMs, maxAbs } from './measures';
import { STEP_MS, bumpTimes, pursuitLearn, target, times } from './pursuit';

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

export function eyeFigure(at: AtTrial): Figure {
  const first = trialOf({ ...at, trial: 1 });
  const now = trialOf(at);
  return {
    id: 'chapter3-eye',
    title: `The eye in trial ${at.trial}`,
    x: { label: 'time (s)', min: 0, max: 2.5 },
    y: { label: 'position', min: -0.1, max: 1.1 },
    xs: times(),
    series: [
      { name: 'dot', role: 'target', values: at.r },
      { name: 'eye in trial 1', role: 'reactive', values: first.y },
      { name: 'eye now', role: 'learned', values: now.y },
    ],
    says: `The eye is 80 % of the way ${lateness(lagMs(at.r, now.y, STEP_MS))}; in trial 1 ${lateness(lagMs(at.r, first.y, STEP_MS))}.`,
  };
}

export function signalsFigure(at: AtTrial): Figure {
  const now = trialOf(at);
  const limit = 1.1 * Math.max(maxAbs(at.learned.o), maxAbs(at.learned.e));
  return {
    id: 'chapter3-signals',
    title: `o grows, the error shrinks: trial ${at.trial}`,
    x: { label: 'time (s)', min: 0, max: 2.5 },
    y: { label: 'position', min: -limit, max: limit },
    xs: times(),
    series: [
      { name: 'error in trial 1', role: 'before', values: trialOf({ ...at, trial: 1 }).e },
      { name: 'error now', role: 'error', values: now.e },
      { name: 'o now', role: 'o', values: now.o },
    ],
    says: `In trial ${at.trial} o reaches ${number(maxAbs(now.o))} and the error ${number(maxAbs(now.e))}.`,
  };
}

/** The curve up to the trial that is looked at. */
export function curveFigure(at: AtTrial): Figure {
  const { learned, trial } = at;
  const marks: Mark[] = [{ y: learned.optimum, says: 'best of 20 bumps' }];
  return {
    id: 'chapter3-curve',
    title: 'The error, trial by trial',
    x: { label: 'trial', min: 1, max: trialsOf(learned) },
    y: { label: 'rRMSE', log: true, min: 0.03, max: 1.2 },
    xs: Array.from(learned.rrmse, (_, k) => k + 1),
    series: [
      { name: 'error, relative to trial 1', role: 'learned', values: learned.rrmse.map((value, k) => (k < trial ? value : NaN)) },
    ],
    marks,
    says: `By trial ${trial} the rRMSE is ${number(learned.rrmse[trial - 1]!)}; the least that 20 bumps allow is ${number(learned.optimum)}.`,
  };
}

/** One value per bump, at the time of its peak. */
export function weightsFigure(at: AtTrial): Figure {
  const { w } = trialOf(at);
  const limit = 1.1 * maxAbs(at.learned.weights);
  return {
    id: 'chapter3-weights',
    title: `The 20 weights in trial ${at.trial}`,
    x: { label: 'time of the bump’s peak (s)', min: 0, max: 2.5 },
    y: { label: 'weight', min: -limit, max: limit },
    xs: bumpTimes(),
    series: [{ name: 'weight', role: 'o', values: w, points: true }],
    says: weightsWords(w),
  };
}

function weightsWords(w: Float64Array): string {
  const high = w.indexOf(Math.max(...w));
  const low = w.indexOf(Math.min(...w));
  if (maxAbs(w) === 0) return 'All 20 weights are 0.';
  const at = bumpTimes();
  const one = (j: number) => `${number(w[j]!)} (the bump at ${number(at[j]!)} s)`;
  return `The largest weight is ${one(high)}, the smallest ${one(low)}.`;
}

/** What a page without WebAssembly shows: the last trial. */
export function staticFigures(cfpc: Cfpc): Figure[] {
  const def = pursuitLearn();
  const learned = cfpc.learn(def);
  const at: AtTrial = { learned, r: target(), trial: trialsOf(learned) };
  return [curveFigure(at), weightsFigure(at), signalsFigure(at), eyeFigure(at)];
}

