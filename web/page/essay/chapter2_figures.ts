// SPDX-License-Identifier: Apache-2.0
// chapter2_figures: what chapter 2 shows and says, from the numbers of cfpc.js alone.
import type { Cfpc, Learned } from '../../cfpc/src/types';
import type { Figure } from '../parts/figure';
import { number, withUnit } from '../parts/number';
import { lateness } from './lateness';
import { lagMs, maxAbs, minus, plus, rrmse } from './measures';
import { STEPS, STEP_MS, pursuitLearn, pursuitLoop, target, times } from './pursuit';

/** The eye that is driven by r + o, and the eye that has to react. */
export interface Driven {
  r: Float64Array;
  o: Float64Array;
  /** Without o. */
  reactive: Float64Array;
  y: Float64Array;
}

export function errorOf(at: Driven): number {
  return rrmse(minus(at.r, at.y), minus(at.r, at.reactive));
}

/** o and the eye of the last of the trials that were learned. */
export function lastTrial(learned: Learned): { o: Float64Array; y: Float64Array } {
  const from = learned.o.length - STEPS;
  return { o: learned.o.slice(from), y: learned.y.slice(from) };
}

export function driveWords(at: Driven): string {
  const lag = Math.round(lagMs(at.r, at.reactive, STEP_MS));
  if (maxAbs(at.o) === 0) return `o is 0: the eye can only react, and lags by ${withUnit(lag, 'ms')}.`;
  const share = errorOf(at);
  const error = `The error is ${number(share * 100, 2)} % of that without o (rRMSE ${number(share)})`;
  return share < 1 ? `${error}.` : `${error}: this o makes it worse than none.`;
}

/** When the eye passes four fifths of the way, with o and without. */
function eyeWords(at: Driven): string {
  const without = `Without o the eye is 80 % of the way ${lateness(lagMs(at.r, at.reactive, STEP_MS))}`;
  return maxAbs(at.o) === 0 ? `${without}.` : `${without}, with o ${lateness(lagMs(at.r, at.y, STEP_MS))}.`;
}

export function driveFigure(at: Driven): Figure {
  return {
    id: 'chapter2-eye',
    title: 'The eye that o drives',
    x: { label: 'time (s)', min: 0, max: 2.5 },
    y: { label: 'position', min: -0.4, max: 1.4 },
    xs: times(),
    series: [
      { name: 'dot', role: 'target', values: at.r },
      { name: 'eye without o', role: 'reactive', values: at.reactive },
      { name: 'eye with o', role: 'learned', values: at.y },
    ],
    says: eyeWords(at),
  };
}

/** o and the errors with and without it. */
export function errorFigure(at: Driven): Figure {
  return {
    id: 'chapter2-error',
    title: 'The o that chapter 3 learns, and what is left of the error',
    x: { label: 'time (s)', min: 0, max: 2.5 },
    y: { label: 'position' },
    xs: times(),
    series: [
      { name: 'error without o', role: 'before', values: minus(at.r, at.reactive) },
      { name: 'error with o', role: 'error', values: minus(at.r, at.y) },
      { name: 'o', role: 'o', values: at.o },
    ],
    says: driveWords(at),
  };
}

/** What a page without WebAssembly shows: the best o, and its eye. */
export function staticFigures(cfpc: Cfpc): Figure[] {
  const loop = pursuitLoop();
  const r = target();
  const { o } = lastTrial(cfpc.learn(pursuitLearn()));
  const at = { r, o, reactive: cfpc.simulate(loop, r), y: cfpc.simulate(loop, plus(r, o)) };
  return [driveFigure(at), errorFigure(at)];
}
