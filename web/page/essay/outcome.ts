// SPDX-License-Identifier: Apache-2.0
// outcome: what came of learning, in numbers and in one sentence. Chapters 4 and 5 say it alike.
import type { Result } from '../../cfpc/src/types';
import { number } from '../parts/number';

export interface Outcome {
  /** rRMSE of every trial; NaN from where it diverged. */
  curve: Float64Array;
  /** rRMSE of the best weights. */
  optimum: number;
  /** Trial in which its numbers overflowed, from 1; 0: they did not. */
  divergedAt: number;
  /** Trial in which the guard first acted, from 1; 0: it did not. */
  guardedAt: number;
}

/** The values of a dataset that every run of ours has. */
export function dataset(result: Result, name: string): Float64Array {
  const found = result.datasets[name];
  if (!found) throw new Error(`the run of ${result.name} has no dataset ${name}`);
  return found.values;
}

/** A measure that the run may not define: 0 then. */
function measure(result: Result, name: string): number {
  const value = result.measures.find((one) => one.name === name)?.value ?? NaN;
  return Number.isNaN(value) ? 0 : value;
}

export function outcomeOf(result: Result, rule: string): Outcome {
  return {
    curve: dataset(result, `curves/${rule}`),
    optimum: dataset(result, 'curves/optimum')[0] ?? NaN,
    divergedAt: result.rules.find((one) => one.name === rule)?.divergedAt ?? 0,
    guardedAt: measure(result, `rules.${rule}.guard_trial`),
  };
}

/** rRMSE at a trial, from 1. */
export function atTrial(outcome: Outcome, trial: number): number {
  return outcome.curve[trial - 1] ?? NaN;
}

export function last(outcome: Outcome): number {
  return atTrial(outcome, outcome.curve.length);
}

/** Whether the last trial is worse than without a cell. */
export function harmed(outcome: Outcome): boolean {
  return outcome.divergedAt > 0 || last(outcome) > 1;
}

/** The trial with the smallest error, from 1. */
function bestTrial(curve: Float64Array): number {
  let best = 0;
  curve.forEach((value, n) => {
    if (value < curve[best]!) best = n;
  });
  return best + 1;
}

/** "4.55 %" of an error that is a fraction of another. */
export function percent(fraction: number): string {
  return `${number(100 * fraction)}\u00a0%`;
}

/** "42.6 times". */
export function times(factor: number): string {
  return `${number(factor)} times`;
}

/** How learning went, for "<what> …": the words depend on where it ended, not on what was expected. */
export function outcomeWords(outcome: Outcome): string {
  const { curve, divergedAt } = outcome;
  if (divergedAt > 0) return `learning diverged: in trial ${divergedAt} its numbers overflowed`;
  const end = last(outcome);
  const best = bestTrial(curve);
  const least = atTrial(outcome, best);
  const after = `after ${curve.length} trials`;
  if (end > 1) {
    const size = `${times(end)} as large as without a cell`;
    return least < 0.9
      ? `the error first falls to ${percent(least)} in trial ${best}, then it grows: ${after} it is ${size}`
      : `${after} the error is ${size}`;
  }
  const most = Math.max(...curve);
  const left = `${after} ${percent(end)} of it is left`;
  if (most > 1.02) return `the error first grows to ${times(most)} that without a cell; ${left}`;
  if (end > 1.5 * least) return `the error falls to ${percent(least)} in trial ${best} and comes back: ${left}`;
  return `${after} ${percent(end)} of the error is left`;
}
