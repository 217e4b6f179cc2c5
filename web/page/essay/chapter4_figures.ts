// SPDX-License-Identifier: Apache-2.0
// chapter4_figures: when a synapse should learn; what chapter 4 shows and says, from what runs gave.
import type { Cfpc, Result } from '../../cfpc/src/types';
import type { Figure, Mark } from '../parts/figure';
import { number, withUnit } from '../parts/number';
import { errorAxis } from './error_axis';
import { dataset, harmed, last, outcomeOf, outcomeWords, percent, times, type Outcome } from './outcome';
import { column, overlap, peakAt, toPeak } from './overlap';
import { scanSpec, traceSpec, type LoopName, type TraceName } from './specs';

// ---- what runs gave ------------------------------------------------------------------------------

/** What is the same for all traces on a loop, from one run of scanSpec. */
export interface Ground {
  loop: LoopName;
  /** The synapse that is shown: the middle one. */
  synapse: number;
  synapses: number;
  timesMs: Float64Array;
  basis: Float64Array;
  /** The effect of every synapse on the output: the trace of a forward model that is right. */
  effects: Float64Array[];
  /** Learning with that forward model. */
  model: Outcome;
  delaysMs: Float64Array;
  /** rRMSE at the last trial, by delay. */
  scan: Float64Array;
}

/** What came of one trace. */
export interface Learning {
  loop: LoopName;
  trace: TraceName;
  delayMs: number;
  outcome: Outcome;
  /** The trace of the synapse that is shown. */
  shown: Float64Array;
}

export function groundOf(loop: LoopName, result: Result): Ground {
  const synapses = result.datasets['traces/basis']!.shape[1]!;
  const synapse = Math.floor((synapses - 1) / 2);
  const effects = dataset(result, 'traces/trace');
  return {
    loop,
    synapse,
    synapses,
    timesMs: dataset(result, 'signals/time_s').map((s) => 1000 * s),
    basis: column(dataset(result, 'traces/basis'), synapses, synapse),
    effects: Array.from({ length: synapses }, (_, j) => column(effects, synapses, j)),
    model: outcomeOf(result, 'synapse'),
    delaysMs: dataset(result, 'delays/delay_ms'),
    scan: dataset(result, 'delays/rrmse'),
  };
}

export function learningOf(loop: LoopName, trace: TraceName, delayMs: number, result: Result): Learning {
  const synapses = result.datasets['traces/trace']!.shape[1]!;
  const synapse = Math.floor((synapses - 1) / 2);
  const shown = column(dataset(result, 'traces/trace'), synapses, synapse);
  return { loop, trace, delayMs, outcome: outcomeOf(result, 'synapse'), shown };
}

/** How well a trace matches the effect of its own synapse, and that of the other that it matches best. */
export interface Match {
  own: number;
  other: number;
  /** Index of that other. */
  otherSynapse: number;
}

export function matchOf(ground: Ground, shown: Float64Array): Match {
  const all = ground.effects.map((effect) => overlap(shown, effect));
  let otherSynapse = ground.synapse === 0 ? 1 : 0;
  all.forEach((value, j) => {
    if (j !== ground.synapse && value > all[otherSynapse]!) otherSynapse = j;
  });
  return { own: all[ground.synapse]!, other: all[otherSynapse]!, otherSynapse };
}

// ---- words ---------------------------------------------------------------------------------------

export function traceWords(trace: TraceName, delayMs: number): string {
  if (trace === 'delay') return delayMs === 0 ? 'Without a delay' : `With a delay of ${withUnit(delayMs, 'ms')}`;
  return trace === 'forward-model' ? 'With the forward model' : 'With the whitened filter';
}

/** One sentence on how it went, one on why. */
export function verdict(ground: Ground, learning: Learning): string {
  const went = `${traceWords(learning.trace, learning.delayMs)}, ${outcomeWords(learning.outcome)}.`;
  return `${went} ${matchWords(matchOf(ground, learning.shown), ground)}`;
}

/** Overlaps that differ by less are called equal. */
const ALIKE = 0.05;

function matchWords(match: Match, ground: Ground): string {
  const [own, other] = [number(match.own, 2), number(match.other, 2)];
  const far = Math.abs(match.otherSynapse - ground.synapse);
  const side = match.otherSynapse < ground.synapse ? 'before' : 'after';
  const which = far === 1 ? `the bump just ${side} it` : `the bump ${far} places ${side} it`;
  if (match.other > match.own + ALIKE)
    return `The trace matches the effect of ${which} better (${other}) than that of its own bump (${own}): errors change the wrong weight.`;
  if (match.other > match.own - ALIKE)
    return `The trace matches the effect of ${which} about as well (${other}) as that of its own bump (${own}).`;
  return `The trace matches the effect of its own bump best (${own}; the next, ${which}: ${other}).`;
}

// ---- figures -------------------------------------------------------------------------------------

/** Least range of the axis of errors, so that curves of one loop can be compared by eye. */
const ERRORS: Record<LoopName, readonly [low: number, high: number]> = {
  eye: [0.03, 3],
  arm: [0.003, 3],
};

const WITHOUT: Mark = { y: 1, says: 'without a cell' };

export function curveFigure(ground: Ground, learning: Learning): Figure {
  const { outcome } = learning;
  const trials = Float64Array.from(outcome.curve, (_, n) => n + 1);
  const marks: Mark[] = [WITHOUT];
  if (outcome.divergedAt > 0) marks.push({ x: outcome.divergedAt, says: 'diverged' });
  return {
    id: 'chapter4-curve',
    title: harmed(outcome) ? 'Learning makes it worse' : 'The error, trial by trial',
    x: { label: 'trial', min: 1, max: outcome.curve.length },
    y: errorAxis(...ERRORS[ground.loop], outcome.curve),
    xs: trials,
    series: [
      { name: 'the chosen trace', role: 'learned', values: outcome.curve },
      { name: 'forward model', role: 'before', values: ground.model.curve },
      { name: 'best possible', role: 'optimum', values: trials.map(() => ground.model.optimum) },
    ],
    marks,
    says: curveWords(ground, outcome),
  };
}

function curveWords({ model }: Ground, outcome: Outcome): string {
  const end = outcome.divergedAt > 0 ? `diverges in trial ${outcome.divergedAt}` : `ends at ${number(last(outcome))}`;
  return `The error with the chosen trace begins at 1 and ${end}; with the forward model it ends at ${number(last(model))}. The best possible is ${number(model.optimum)}.`;
}

/** What is shown of the time around the basis signal's peak, in ms. */
const SHOWN: Record<LoopName, { from: number; to: number }> = {
  eye: { from: -200, to: 450 },
  arm: { from: -1500, to: 2500 },
};

export function matchFigure(ground: Ground, learning: Learning): Figure {
  const match = matchOf(ground, learning.shown);
  const peakMs = ground.timesMs[peakAt(ground.basis)]!;
  const { from, to } = SHOWN[ground.loop];
  const keep = (_: number, n: number): boolean => {
    const t = ground.timesMs[n]! - peakMs;
    return t >= from && t <= to;
  };
  const part = (values: Float64Array): Float64Array => toPeak(values).filter(keep);
  return {
    id: 'chapter4-match',
    title:
      match.other > match.own
        ? 'The trace matches the effect of another bump'
        : 'The trace matches the effect of its bump',
    x: { label: 'time since the bump (ms)', min: from, max: to },
    y: { label: 'each over its peak', min: -1.1, max: 1.1 },
    xs: ground.timesMs.filter(keep).map((t) => t - peakMs),
    series: [
      { name: 'bump', role: 'faint', values: part(ground.basis) },
      { name: 'its effect', role: 'target', values: part(ground.effects[ground.synapse]!) },
      { name: 'effect of another bump', role: 'reactive', values: part(ground.effects[match.otherSynapse]!) },
      { name: 'trace', role: 'learned', values: part(learning.shown) },
    ],
    says: peakWords(ground, learning.shown, match, peakMs),
  };
}

/** When each curve is largest. */
function peakWords(ground: Ground, shown: Float64Array, match: Match, bumpMs: number): string {
  const when = (values: Float64Array): string => {
    const ms = Math.round(ground.timesMs[peakAt(values)]! - bumpMs);
    if (ms === 0) return 'together with the bump';
    return `${withUnit(Math.abs(ms), 'ms')} ${ms > 0 ? 'after' : 'before'} the bump`;
  };
  const [own, other] = [ground.effects[ground.synapse]!, ground.effects[match.otherSynapse]!];
  return `When each is largest: the trace ${when(shown)}, the bump’s effect ${when(own)}, the effect of the other bump ${when(other)}.`;
}

export function scanFigure(ground: Ground, learning: Learning): Figure {
  const best = ground.scan.indexOf(Math.min(...ground.scan));
  const marks: Mark[] = [WITHOUT];
  if (learning.trace === 'delay') marks.push({ x: learning.delayMs, says: 'now' });
  return {
    id: 'chapter4-scan',
    title: 'The last trial, for every delay',
    x: { label: 'delay of the trace (ms)', min: 0, max: ground.delaysMs[ground.delaysMs.length - 1]! },
    y: errorAxis(...ERRORS[ground.loop], ground.scan),
    xs: ground.delaysMs,
    series: [
      { name: 'a delay', role: 'learned', values: ground.scan },
      { name: 'forward model', role: 'before', values: ground.scan.map(() => last(ground.model)) },
    ],
    marks,
    says: `${scanWords(ground, best)} The forward model leaves ${percent(last(ground.model))}.`,
  };
}

function scanWords({ delaysMs, scan, model }: Ground, best: number): string {
  const end = scan[scan.length - 1]!;
  return `After ${model.curve.length} trials the best of these delays, ${withUnit(delaysMs[best]!, 'ms')}, leaves ${percent(scan[best]!)} of the error. Without a delay it is ${times(scan[0]!)} that without a cell, with ${withUnit(delaysMs[delaysMs.length - 1]!, 'ms')} ${times(end)}.`;
}

/** All that the chapter draws for one setting. */
export function figures(ground: Ground, learning: Learning): Figure[] {
  return [matchFigure(ground, learning), curveFigure(ground, learning), scanFigure(ground, learning)];
}

/** What a page without WebAssembly shows: a trace that comes too early, and all delays. */
export function staticFigures(cfpc: Cfpc): Figure[] {
  const ground = groundOf('eye', cfpc.run(scanSpec('eye')));
  const early = learningOf('eye', 'delay', 0, cfpc.run(traceSpec('eye', 'delay', 0)));
  return figures(ground, early);
}
