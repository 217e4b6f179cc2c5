// SPDX-License-Identifier: Apache-2.0
// chapter5_figures: a wrong model, what the certificate says of it and what then happens; what chapter 5
// shows and says, from a certificate and a run.
import type { Certificate, Cfpc, Result } from '../../cfpc/src/types';
import type { Figure, Mark, Series } from '../parts/figure';
import { number, withUnit } from '../parts/number';
import { meaning, saidBy, type Said, type Verdict } from './certificate';
import { clip } from './clip';
import { dataset, last, outcomeOf, outcomeWords, percent, times, type Outcome } from './outcome';
import { EYE_DELAY_MS, wrongModelSpec } from './specs';

/** The slider's range of true delays, in ms: beyond it the eye's own loop has almost no margin left. */
export const RANGE = { min: 10, max: 90, step: 5 };

/** The guard acts when one trial's error is this many times that of the loop alone (the spec's default). */
export const GUARD_FACTOR = 1.5;

export type RuleName = 'free' | 'guarded';

/** What was predicted, and what came of it. */
export interface Trial5 {
  delayMs: number;
  said: Said;
  free: Outcome;
  guarded: Outcome;
  /** Of the rule whose signals the run kept. */
  kept: RuleName;
  timesS: Float64Array;
  target: Float64Array;
  reactive: Float64Array;
  eye: Float64Array;
}

export function trialOf(delayMs: number, kept: RuleName, certificate: Certificate, result: Result): Trial5 {
  return {
    delayMs,
    said: saidBy(certificate),
    free: outcomeOf(result, 'free'),
    guarded: outcomeOf(result, 'guarded'),
    kept,
    timesS: dataset(result, 'signals/time_s'),
    target: dataset(result, 'signals/r'),
    reactive: dataset(result, 'signals/y_first'),
    eye: dataset(result, 'signals/y_last'),
  };
}

// ---- words ---------------------------------------------------------------------------------------

export function modelWords(delayMs: number): string {
  const factor = EYE_DELAY_MS / delayMs;
  const is = `The model believes in a delay of ${withUnit(EYE_DELAY_MS, 'ms')}`;
  return factor === 1 ? `${is}, and is right.` : `${is}; the eye has ${withUnit(delayMs, 'ms')}.`;
}

/** Before the run. */
export function saidWords({ delayMs, said }: Trial5): string {
  const end = Number.isNaN(said.asymptote) ? '' : ` Learning ends at ${percent(said.asymptote)} of the error.`;
  return `${modelWords(delayMs)} The certificate says “${said.verdict}”: ${meaning(said)}.${end}`;
}

/** After it. */
export function ranWords(at: Trial5): string {
  if (at.kept === 'free') return `Without the guard: ${outcomeWords(at.free)}.`;
  return `${guardWords(at.guarded)} Without the guard: ${outcomeWords(at.free)}.`;
}

function guardWords(outcome: Outcome): string {
  const { guardedAt, curve } = outcome;
  if (guardedAt === 0) return `The guard had no reason to act: ${outcomeWords(outcome)}.`;
  const before = curve.slice(0, guardedAt).reduce((most, v) => Math.max(most, v), 0);
  return `The guard acted in trial ${guardedAt}, after an error of ${times(before)} that without a cell: it went back to the best weights and stopped learning, and ${percent(last(outcome))} of the error is left.`;
}

// ---- figures -------------------------------------------------------------------------------------

const WITHOUT: Mark = { y: 1, says: 'without a cell' };
const LOW = 0.03;

function top(...curves: ArrayLike<number>[]): number {
  let most = 3;
  for (const curve of curves) for (const v of Array.from(curve)) if (Number.isFinite(v)) most = Math.max(most, 1.2 * v);
  return most;
}

function divergedMark({ divergedAt }: Outcome): Mark[] {
  return divergedAt > 0 ? [{ x: divergedAt, says: 'diverged' }] : [];
}

export function runFigure(at: Trial5): Figure {
  const { said, free, guarded, kept } = at;
  const trials = Float64Array.from(free.curve, (_, n) => n + 1);
  const runs: Series[] =
    kept === 'free'
      ? [{ name: 'the run', role: 'learned', values: free.curve }]
      : [
          { name: 'with the guard', role: 'learned', values: guarded.curve },
          { name: 'without it', role: 'reactive', values: free.curve },
        ];
  const predicted: Series[] = said.curve.length === trials.length
    ? [{ name: 'predicted before the run', role: 1, values: said.curve, points: true }]
    : [];
  const marks = [WITHOUT, ...divergedMark(free)];
  if (kept === 'guarded') marks.push({ y: GUARD_FACTOR, says: '' });
  if (kept === 'guarded' && guarded.guardedAt > 0) marks.push({ x: guarded.guardedAt, says: 'the guard acts' });
  const harm = last(free) > 1 || free.divergedAt > 0;
  return {
    id: 'chapter5-run',
    title: harm ? 'A wrong model makes it worse' : 'Predicted, and run',
    x: { label: 'trial', min: 1, max: trials.length },
    y: { label: 'error (1: without a cell)', log: true, min: LOW, max: top(free.curve) },
    xs: trials,
    series: [...predicted, ...runs],
    marks,
    says: ranWords(at),
  };
}

/** Positions that the figure of the eye shows. */
const SEEN = { low: -1, high: 2 };

export function eyeFigure(at: Trial5): Figure {
  const outcome = at[at.kept];
  const eye = clip(at.eye, SEEN.low, SEEN.high);
  const leaves = eye.leftAt >= 0 && outcome.divergedAt === 0;
  const leftS = leaves ? at.timesS[eye.leftAt]! : NaN;
  return {
    id: 'chapter5-eye',
    title: `The eye in trial ${outcome.curve.length}, ${at.kept === 'free' ? 'without' : 'with'} the guard`,
    x: { label: 'time (s)', min: 0, max: 2.5 },
    y: { label: 'position', min: SEEN.low, max: SEEN.high },
    xs: at.timesS,
    series: [
      { name: 'dot', role: 'target', values: at.target },
      { name: 'eye without a cell', role: 'reactive', values: at.reactive },
      { name: 'eye', role: 'learned', values: eye.values },
    ],
    marks: leaves ? [{ x: leftS, says: 'the eye leaves the figure' }] : [],
    says: eyeWords(at, outcome, leftS),
  };
}

function eyeWords(at: Trial5, outcome: Outcome, leftS: number): string {
  if (outcome.divergedAt > 0) return `There is no eye to show: learning diverged in trial ${outcome.divergedAt}.`;
  const left = Number.isNaN(leftS) ? '' : ` ${number(leftS)} s after the start the eye leaves the figure.`;
  const e = last(outcome);
  const size = e > 1 ? `${times(e)} as large as` : `${percent(e)} of what it is`;
  return `In trial ${outcome.curve.length} the eye’s error is ${size} without a cell${at.kept === 'guarded' ? ', with the guard' : ''}.${left}`;
}

// ---- verdict and outcome, over the slider's range -----------------------------------------------------

export interface Point {
  delayMs: number;
  verdict: Verdict;
  /** rRMSE of the last trial. */
  free: number;
  guarded: number;
}

export function pointOf({ delayMs, said, free, guarded }: Trial5): Point {
  return { delayMs, verdict: said.verdict, free: last(free), guarded: last(guarded) };
}

const VERDICTS: { verdict: Verdict; role: 1 | 2 | 3 | 4 }[] = [
  { verdict: 'monotone', role: 2 },
  { verdict: 'eventual', role: 1 },
  { verdict: 'diverges', role: 3 },
  { verdict: 'not-decided', role: 4 },
];

export function rangeFigure(points: Point[]): Figure {
  const xs = points.map((one) => one.delayMs);
  const free = points.map((one) => one.free);
  const worst = points.reduce((most, one) => Math.max(most, one.guarded), 0);
  const listed = VERDICTS.filter(({ verdict }) => points.some((one) => one.verdict === verdict));
  return {
    id: 'chapter5-range',
    title: 'The verdict, and the last trial, for every delay of the eye',
    x: { label: 'delay of the eye (ms); the model believes 50', min: RANGE.min - 5, max: RANGE.max + 5 },
    y: { label: 'error (1: without a cell)', log: true, min: LOW, max: top(free) },
    xs,
    series: [
      ...listed.map(({ verdict, role }): Series => ({
        name: `without the guard, ${verdict}`,
        role,
        values: points.map((one) => (one.verdict === verdict ? one.free : NaN)),
        points: true,
      })),
      { name: 'with the guard', role: 'learned', values: points.map((one) => one.guarded) },
    ],
    marks: [WITHOUT, { x: EYE_DELAY_MS, says: 'believed' }],
    says: `${listed.map(({ verdict }) => verdictWords(points, verdict)).join(' ')} With the guard the last trial is nowhere above ${number(worst)}.`,
  };
}

function verdictWords(points: Point[], verdict: Verdict): string {
  const those = points.filter((one) => one.verdict === verdict);
  const ends = those.map((one) => one.free);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const delays = those.map((one) => one.delayMs).join(', ');
  return `At ${delays} ms the certificate says “${verdict}”, and the run ends at ${low === high ? number(low) : `${number(low)} to ${number(high)}`}.`;
}

/** All that the chapter draws for one setting. */
export function figures(at: Trial5): Figure[] {
  return [runFigure(at), eyeFigure(at)];
}

/** Positions for the comparison over the range. */
export function rangeDelays(): number[] {
  const list: number[] = [];
  for (let d = RANGE.min; d <= RANGE.max; d += 2 * RANGE.step) list.push(d);
  return list;
}

/** The same in this thread. */
export function trial(cfpc: Cfpc, delayMs: number, kept: RuleName): Trial5 {
  const spec = wrongModelSpec(delayMs);
  return trialOf(delayMs, kept, cfpc.certify(spec), cfpc.run(spec, { rule: kept }));
}

/** What a page without WebAssembly shows: a model that is wrong by 30 ms, guarded, and the whole range. */
export function staticFigures(cfpc: Cfpc): Figure[] {
  return [...figures(trial(cfpc, 80, 'guarded')), rangeFigure(rangeDelays().map((d) => pointOf(trial(cfpc, d, 'guarded'))))];
}
