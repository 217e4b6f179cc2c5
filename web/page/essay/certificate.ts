// SPDX-License-Identifier: Apache-2.0
// certificate: what chapter 5 reads from the certificate of docs/certificate.md, and what its words mean.
import type { Certificate } from '../../cfpc/src/types';
import { number } from '../parts/number';

export type Verdict = 'monotone' | 'eventual' | 'diverges' | 'not-decided' | 'not-applicable';

/** Within it the verdict stays the same; NaN: no such limit was found. */
export interface Range {
  low: number;
  high: number;
}

export interface Said {
  verdict: Verdict;
  /** Why nothing is certified; '' otherwise. */
  reason: string;
  /** By what factor the weights may move away before they converge; NaN: without end. */
  growth: number;
  /** rRMSE to which learning converges; NaN: it does not, or it is not known. */
  asymptote: number;
  /** rRMSE of every trial, predicted. */
  curve: Float64Array;
  delayMs: Range;
  gain: Range;
  /** One sentence on what to change. */
  advice: string;
}

type Tree = { [key: string]: unknown };

const number0 = (value: unknown): number => (typeof value === 'number' ? value : NaN);

function rangeOf(parameters: Tree[], name: string): Range {
  const found = parameters.find((one) => one.name === name);
  return { low: number0(found?.low), high: number0(found?.high) };
}

export function saidBy(certificate: Certificate): Said {
  const learning = certificate.learning as Tree;
  const tolerance = (certificate.tolerance ?? {}) as Tree;
  const parameters = (tolerance.parameters ?? []) as Tree[];
  return {
    verdict: learning.verdict as Verdict,
    reason: (learning.reason as string | null) ?? '',
    growth: number0(learning.transient_growth),
    asymptote: number0(learning.asymptote_rrmse),
    curve: Float64Array.from((learning.curve ?? []) as number[]),
    delayMs: rangeOf(parameters, 'loop.delay_ms'),
    gain: rangeOf(parameters, 'gain of the plant'),
    advice: (certificate.advice as string | null) ?? '',
  };
}

/** What the verdict means, in one sentence. */
export function meaning(said: Said): string {
  switch (said.verdict) {
    case 'monotone':
      return 'every trial brings the weights closer to where they end';
    case 'eventual':
      return `the weights converge in the end, but on the way they may be ${number(said.growth)} times as far from there as at the start`;
    case 'diverges':
      return 'the weights do not converge: in the end they grow without limit';
    case 'not-decided':
      return 'rounding errors leave it open whether learning converges';
    case 'not-applicable':
      return `nothing can be said of this loop: ${said.reason}`;
  }
}

/** "17 to 68 ms", "up to 81 ms". */
export function rangeWords({ low, high }: Range, unit: string): string {
  const end = unit === '' ? '' : `\u00a0${unit}`;
  if (Number.isNaN(low) && Number.isNaN(high)) return 'no limit was found';
  if (Number.isNaN(low)) return `up to ${number(high)}${end}`;
  if (Number.isNaN(high)) return `from ${number(low)}${end}`;
  return `${number(low)} to ${number(high)}${end}`;
}
