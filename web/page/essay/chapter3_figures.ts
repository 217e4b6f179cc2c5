// SPDX-License-Identifier: Apache-2.0
// chapter3_figures: what chapter 3 shows and says of one trial, from the numbers of cfpc.js alone.
import type { Cfpc } from '../../cfpc/src/types';
import type { Figure } from '../parts/figure';
import { number } from '../parts/number';
import { lateness } from './lateness';
import { lagMs, maxAbs } from './measures';
import { STEP_MS, bumpTimes, pursuitLearn, target, times } from './pursuit';
import { trialOf, trialsOf, type AtTrial, type Trial } from './trial';

export function eyeFigure(at: AtTrial): Figure {
  const first = trialOf({ ...at, trial: 1 });
  const now = trialOf(at);
  const late = ({ y }: Trial) => lateness(lagMs(at.r, y, STEP_MS));
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
    says: `The eye is 80 % of the way ${late(now)}; in trial 1 ${late(first)}.`,
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
  const soFar = learned.rrmse.map((value, k) => (k < trial ? value : NaN));
  return {
    id: 'chapter3-curve',
    title: 'The error, trial by trial',
    x: { label: 'trial', min: 1, max: trialsOf(learned) },
    y: { label: 'rRMSE', log: true, min: 0.03, max: 1.2 },
    xs: Array.from(learned.rrmse, (_, k) => k + 1),
    series: [{ name: 'error, relative to trial 1', role: 'learned', values: soFar }],
    marks: [{ y: learned.optimum, says: 'best of 20 bumps' }],
    says: `The rRMSE of trial ${trial} is ${number(soFar[trial - 1]!)}; 20 bumps allow ${number(learned.optimum)}.`,
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
