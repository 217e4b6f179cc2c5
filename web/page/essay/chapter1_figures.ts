// SPDX-License-Identifier: Apache-2.0
// chapter1_figures: what chapter 1 shows and says, from the numbers of cfpc.js alone.
import type { Cfpc, LoopFacts } from '../../cfpc/src/types';
import type { Figure, Mark } from '../parts/figure';
import { number, withUnit } from '../parts/number';
import { clip } from './clip';
import { LAG_LEVEL, lagMs } from './measures';
import { DELAY_MS, STEP_MS, pursuitLoop, target, times } from './pursuit';

/** All that the figure and the text are made of. */
export interface Following {
  delayMs: number;
  /** Factor on the paper's controller. */
  gain: number;
  facts: LoopFacts;
  r: Float64Array;
  y: Float64Array;
}

/** The figure's y axis, the same for all settings, so that a change is seen as what it is. */
const LOW = -0.5;
const HIGH = 1.5;

/** lag_ms; NaN where the loop is unstable: then the eye does not follow. */
export function lagOf(at: Following): number {
  return at.facts.stable ? lagMs(at.r, at.y, STEP_MS) : NaN;
}

/** By what factor a swing of the loop grows in a second. */
export function growthPerSecond(facts: LoopFacts): number {
  return facts.largestPole ** (1000 / STEP_MS);
}

/** Whole milliseconds: a step is 1 ms. */
function ms(value: number): string {
  return withUnit(Math.round(value), 'ms');
}

export function verdict(at: Following): string {
  return at.facts.stable ? stableWords(at) : unstableWords(at);
}

function settings(at: Following): string {
  return `With a delay of ${ms(at.delayMs)} and a gain of ${number(at.gain)}`;
}

function stableWords(at: Following): string {
  const lag = lagOf(at);
  const follows = Number.isFinite(lag)
    ? `the eye lags the dot by ${ms(lag)}`
    : 'the eye does not reach 80 % of the movement';
  return `${settings(at)} ${follows}. The loop is stable: ${reserve(at.facts)}.`;
}

function reserve(facts: LoopFacts): string {
  const gain = `its gain could be ${number(facts.gainMargin)} times as high`;
  return Number.isFinite(facts.delayMarginMs)
    ? `${gain}, or its delay ${ms(facts.delayMarginMs)} longer, before it oscillates by itself`
    : `${gain} before it oscillates by itself, and no delay makes it oscillate`;
}

function unstableWords(at: Following): string {
  const growth = growthPerSecond(at.facts);
  const speed =
    growth >= 1000 ? 'more than a thousand times as large each second' : `${number(growth)} times as large each second`;
  return `${settings(at)} the loop is unstable: the eye oscillates, and its swings become ${speed}.`;
}

export function followFigure(at: Following): Figure {
  const eye = clip(at.y, LOW, HIGH);
  return {
    id: 'chapter1-follow',
    title: at.facts.stable ? 'The eye follows the dot, late' : 'Unstable: the eye swings ever wider',
    x: { label: 'time (s)', min: 0, max: 2.5 },
    y: { label: 'position', min: LOW, max: HIGH },
    xs: times(),
    series: [
      { name: 'dot', role: 'target', values: at.r },
      { name: 'eye', role: 'reactive', values: eye.values },
    ],
    marks: marks(at, eye.leftAt),
    says: followWords(at, eye.leftAt),
  };
}

function marks(at: Following, leftAt: number): Mark[] {
  const list: Mark[] = [];
  if (at.facts.stable) list.push({ y: LAG_LEVEL, says: 'lag measured here' });
  if (leftAt >= 0) list.push({ x: (leftAt * STEP_MS) / 1000, says: 'eye leaves' });
  return list;
}

function followWords(at: Following, leftAt: number): string {
  const dot = 'The dot moves from 0 to 1 in half a second, rests, and moves back.';
  const leftAfter = withUnit((leftAt * STEP_MS) / 1000, 's');
  if (leftAt >= 0) return `${dot} The eye swings around it and leaves the figure after ${leftAfter}.`;
  const lag = lagOf(at);
  const late = Number.isFinite(lag) ? `, and reaches 0.8, where the lag is measured, ${ms(lag)} after the dot` : '';
  return `${dot} The eye goes as far as ${number(Math.max(...at.y))}${late}.`;
}

/** What a page without WebAssembly shows: the paper's loop, and one that is too strong for its delay. */
export function staticFigures(cfpc: Cfpc): Figure[] {
  return [
    { ...followFigure(following(cfpc, DELAY_MS, 1)), id: 'chapter1-follow' },
    { ...followFigure(following(cfpc, DELAY_MS, 2)), id: 'chapter1-unstable' },
  ];
}

function following(cfpc: Cfpc, delayMs: number, gain: number): Following {
  const loop = pursuitLoop(delayMs, gain);
  const r = target();
  return { delayMs, gain, facts: cfpc.loop(loop), r, y: cfpc.simulate(loop, r) };
}
