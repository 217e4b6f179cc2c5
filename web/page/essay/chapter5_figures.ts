// SPDX-License-Identifier: Apache-2.0
// chapter5_figures: a wrong model, what the certificate says of it and what then happens; what chapter 5
// shows and says, from a certificate and a run.
import type { Certificate, Cfpc, Options, Result, Spec } from '../../cfpc/src/types';
import type { Figure, Mark, Series } from '../parts/figure';
import { number, withUnit } from '../parts/number';
import { meaning, saidBy, type Said, type Verdict } from './certificate';
import { clip } from './clip';
import { errorAxis } from './error_axis';
import { dataset, harmed, last, outcomeOf, outcomeWords, percent, times, type Outcome } from './outcome';
import { EYE_DELAY_MS, wrongModelSpec } from './specs';

/** The slider's range of true delays, in ms: beyond it the eye's own loop has almost no margin left. */
export const RANGE = { min: 10, max: 90, step: 5 };

/** The guard looks at once when one trial's error is this many times that of the loop alone (the spec's default). */
export const GUARD_FACTOR = 1.5;

/** A wrong model: what was predicted of it, and what came of it. */
export interface Wrong {
  delayMs: number;
  /** null: not known yet. */
  said: Said | null;
  free: Outcome;
  /** null: the guard is off. */
  guarded: Outcome | null;
  /** The signals are those with the guard, if it is on. */
  timesS: Float64Array;
  target: Float64Array;
  reactive: Float64Array;
  eye: Float64Array;
}

export function wrongOf(delayMs: number, certificate: Certificate | null, result: Result): Wrong {
  return {
    delayMs,
    said: certificate && saidBy(certificate),
    free: outcomeOf(result, 'free'),
    guarded: result.rules.some((one) => one.name === 'guarded') ? outcomeOf(result, 'guarded') : null,
    timesS: dataset(result, 'signals/time_s'),
    target: dataset(result, 'signals/r'),
    reactive: dataset(result, 'signals/y_first'),
    eye: dataset(result, 'signals/y_last'),
  };
}

// ---- words ---------------------------------------------------------------------------------------

export function modelWords(delayMs: number): string {
  const believed = `The model believes that the delay is ${withUnit(EYE_DELAY_MS, 'ms')}`;
  return delayMs === EYE_DELAY_MS ? `${believed}, and is right.` : `${believed}; it is ${withUnit(delayMs, 'ms')}.`;
}

/** Before the run. */
export function saidWords({ delayMs, said }: Wrong): string {
  if (!said) return modelWords(delayMs);
  const end = Number.isNaN(said.asymptote)
    ? ''
    : ` It predicts that ${percent(said.asymptote)} of the error is left in the end.`;
  return `${modelWords(delayMs)} The certificate says “${said.verdict}”: ${meaning(said)}.${end}`;
}

/** After it. */
export function ranWords(at: Wrong): string {
  if (!at.guarded) return `Without the guard: ${outcomeWords(at.free)}.`;
  if (at.guarded.guardedAt === 0) return `The guard had no reason to act: ${outcomeWords(at.guarded)}.`;
  return `${guardWords(at.guarded)} Without it: ${outcomeWords(at.free)}.`;
}

function guardWords(outcome: Outcome): string {
  const { guardedAt, curve } = outcome;
  const worst = Math.max(...curve.subarray(0, guardedAt));
  return `The guard first acted in trial ${guardedAt}, after an error of ${times(worst)} that without a cell: it went back to the best weights and learned more slowly, so that ${percent(last(outcome))} of the error is left.`;
}

// ---- figures -------------------------------------------------------------------------------------

const WITHOUT: Mark = { y: 1, says: 'without a cell' };
const ERRORS = [0.03, 3] as const;

function divergedMark({ divergedAt }: Outcome): Mark[] {
  return divergedAt > 0 ? [{ x: divergedAt, says: 'diverged' }] : [];
}

function runTitle({ free, guarded }: Wrong): string {
  if (guarded && guarded.guardedAt > 0) return 'The guard ends what the wrong model does';
  return harmed(free) ? 'A wrong model makes it worse' : 'Learning, as predicted';
}

export function runFigure(at: Wrong): Figure {
  const { said, free, guarded } = at;
  const trials = Float64Array.from(free.curve, (_, n) => n + 1);
  const runs: Series[] = guarded
    ? [
        { name: 'with the guard', role: 'learned', values: guarded.curve },
        { name: 'without it', role: 'reactive', values: free.curve },
      ]
    : [{ name: 'the run', role: 'learned', values: free.curve }];
  const predicted = said?.curve.length === trials.length ? said.curve : trials.map(() => NaN);
  const marks = [WITHOUT, ...divergedMark(free)];
  if (guarded && guarded.guardedAt > 0) marks.push({ x: guarded.guardedAt, says: 'the guard acts' });
  return {
    id: 'chapter5-run',
    title: runTitle(at),
    x: { label: 'trial', min: 1, max: trials.length },
    y: errorAxis(...ERRORS, free.curve),
    xs: trials,
    series: [{ name: 'predicted by the certificate', role: 'target', values: predicted, points: true }, ...runs],
    marks,
    says: curveWords(at),
  };
}

function curveWords({ said, free, guarded }: Wrong): string {
  const end = (one: Outcome): string =>
    one.divergedAt > 0 ? `diverges in trial ${one.divergedAt}` : `ends at ${number(last(one))}`;
  const guardedEnd = guarded ? `; with it, it ${end(guarded)}` : '';
  const predicted = said?.curve.length
    ? ` The certificate predicts ${number(said.curve[said.curve.length - 1]!)}.`
    : '';
  return `The error begins at 1. Without the guard it ${end(free)}${guardedEnd}.${predicted}`;
}

/** Positions that the figure of the eye shows. */
const SEEN = { low: -1, high: 2 };

export function eyeFigure(at: Wrong): Figure {
  const outcome = at.guarded ?? at.free;
  const eye = clip(at.eye, SEEN.low, SEEN.high);
  const leaves = eye.leftAt >= 0 && outcome.divergedAt === 0;
  const leftS = leaves ? at.timesS[eye.leftAt]! : NaN;
  return {
    id: 'chapter5-eye',
    title: `The eye in trial ${outcome.curve.length}, ${at.guarded ? 'with' : 'without'} the guard`,
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

function eyeWords(at: Wrong, outcome: Outcome, leftS: number): string {
  if (outcome.divergedAt > 0) return `There is no eye to show: learning diverged in trial ${outcome.divergedAt}.`;
  const left = Number.isNaN(leftS) ? '' : ` ${number(leftS)} s after the start the eye leaves the figure.`;
  const e = last(outcome);
  const size = e > 1 ? `${times(e)} as large as` : `${percent(e)} of what it is`;
  return `In trial ${outcome.curve.length} the eye’s error is ${size} without a cell${at.guarded ? ', with the guard' : ''}.${left}`;
}

// ---- verdict and outcome, over the slider's range -----------------------------------------------------

export interface Point {
  delayMs: number;
  verdict: Verdict;
  /** rRMSE of the last trial. */
  free: number;
  guarded: number;
}

export function pointOf({ delayMs, said, free, guarded }: Wrong): Point {
  return { delayMs, verdict: said?.verdict ?? 'not-decided', free: last(free), guarded: last(guarded ?? free) };
}

const VERDICTS: { verdict: Verdict; role: 1 | 2 | 3 | 4 | 5 }[] = [
  { verdict: 'monotone', role: 2 },
  { verdict: 'eventual', role: 1 },
  { verdict: 'diverges', role: 3 },
  { verdict: 'not-decided', role: 4 },
  { verdict: 'not-applicable', role: 5 },
];

export function rangeFigure(points: Point[]): Figure {
  const xs = points.map((one) => one.delayMs);
  const worst = points.reduce((most, one) => Math.max(most, one.guarded), 0);
  const listed = VERDICTS.filter(({ verdict }) => points.some((one) => one.verdict === verdict));
  return {
    id: 'chapter5-range',
    title: 'The verdict, and the last trial, for every delay of the eye',
    x: { label: 'delay of the eye (ms); the model believes 50', min: RANGE.min - 5, max: RANGE.max + 5 },
    y: errorAxis(
      ...ERRORS,
      points.map((one) => one.free),
    ),
    xs,
    series: [
      ...listed.map(
        ({ verdict, role }): Series => ({
          name: `without the guard, ${verdict}`,
          role,
          values: points.map((one) => (one.verdict === verdict ? one.free : NaN)),
          points: true,
        }),
      ),
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
export function figures(at: Wrong): Figure[] {
  return [runFigure(at), eyeFigure(at)];
}

/** Positions for the comparison over the range. */
export function rangeDelays(): number[] {
  const list: number[] = [];
  for (let d = RANGE.min; d <= RANGE.max; d += 2 * RANGE.step) list.push(d);
  return list;
}

/** The rules of a run, and the one whose signals it keeps. */
export function runOf(delayMs: number, guarded: boolean): { spec: Spec; options: Options } {
  return { spec: wrongModelSpec(delayMs, guarded), options: { rule: guarded ? 'guarded' : 'free' } };
}

/** The same in this thread. */
export function wrong(cfpc: Cfpc, delayMs: number, guarded: boolean): Wrong {
  const { spec, options } = runOf(delayMs, guarded);
  return wrongOf(delayMs, cfpc.certify(spec), cfpc.run(spec, options));
}

/** What a page without WebAssembly shows: a model that is wrong by 30 ms, guarded, and the whole range. */
export function staticFigures(cfpc: Cfpc): Figure[] {
  return [...figures(wrong(cfpc, 80, true)), rangeFigure(rangeDelays().map((d) => pointOf(wrong(cfpc, d, true))))];
}
