// SPDX-License-Identifier: Apache-2.0
// traces: a basis signal, its eligibility trace, and its effect on the output: learning works where
// trace and effect are in step.
import type { Dataset, Result } from '../../../cfpc/src/types';
import type { Figure } from '../../parts/figure';
import { largest, number, someFinite, values } from './data';

const SEEN = 0.02; // share of the peak from which a signal is seen

function column(of: Dataset, j: number): Float64Array {
  const [rows = 0, columns = 0] = of.shape;
  return Float64Array.from({ length: rows }, (_, n) => of.values[n * columns + j] ?? NaN);
}

/** Relative to its peak: only the timing matters here. */
function scaled(list: Float64Array): Float64Array {
  const peak = largest(list);
  return peak > 0 ? list.map((value) => value / peak) : list;
}

/** The basis signal nearest to the middle that is not zero; -1: none. */
export function middleBasis(basis: Dataset): number {
  const bases = basis.shape[1] ?? 0;
  const middle = bases >> 1;
  for (let away = 0; away <= bases; away++)
    for (const j of [middle - away, middle + away]) if (j >= 0 && j < bases && largest(column(basis, j)) > 0) return j;
  return -1;
}

// What a unit of the weight adds to the output: the basis signal through the response.
function effectOf(x: Float64Array, response: Float64Array): Float64Array {
  const effect = new Float64Array(x.length);
  const length = lastSeen(response, 1e-6) + 1;
  for (let n = 0; n < x.length; n++) {
    const input = x[n] ?? 0;
    if (input === 0) continue;
    for (let k = 0; k < length && n + k < x.length; k++)
      effect[n + k] = (effect[n + k] ?? 0) + input * (response[k] ?? 0);
  }
  return effect;
}

function lastSeen(list: Float64Array, share: number): number {
  const peak = largest(list);
  for (let n = list.length - 1; n > 0; n--) if (Math.abs(list[n] ?? 0) > share * peak) return n;
  return 0;
}

function firstSeen(list: Float64Array, share: number): number {
  const peak = largest(list);
  const found = list.findIndex((value) => Math.abs(value) > share * peak);
  return Math.max(found, 0);
}

function peakAt(list: Float64Array): number {
  let at = 0;
  list.forEach((value, n) => {
    if (Math.abs(value) > Math.abs(list[at] ?? 0)) at = n;
  });
  return at;
}

/** Trace against effect, of one basis signal, where they are seen. */
export function traces(result: Result): Figure[] {
  const basis = result.datasets['traces/basis'];
  const trace = result.datasets['traces/trace'];
  const time = values(result, 'signals/time_s');
  const response = values(result, 'signals/response');
  if (!basis || !trace || !time || !response || !someFinite(response)) return [];
  const j = middleBasis(basis);
  if (j < 0 || largest(response) === 0) return [];
  const x = column(basis, j);
  const h = column(trace, j);
  const effect = effectOf(x, response);
  const shown = [x, h, effect].filter((list) => largest(list) > 0);
  const from = Math.min(...shown.map((list) => firstSeen(list, SEEN)));
  const to = Math.max(...shown.map((list) => lastSeen(list, SEEN))) + 1;
  const cut = (list: Float64Array): Float64Array => scaled(list).slice(from, to);
  const ms = 1e3 * ((time[peakAt(h)] ?? NaN) - (time[peakAt(effect)] ?? NaN));
  return [
    {
      id: 'traces',
      title: "A synapse's effect, and its trace",
      x: { label: 'time in the trial (s)' },
      y: { label: 'relative to its peak' },
      xs: time.slice(from, to),
      series: [
        { name: `basis signal x${j + 1}`, role: 'faint', values: cut(x) },
        { name: 'its effect on the output', role: 'reactive', values: cut(effect) },
        { name: `its trace, rule ${result.rule}`, role: 'learned', values: cut(h) },
      ],
      says:
        largest(h) === 0
          ? 'This rule keeps no trace of this basis signal.'
          : Math.abs(ms) < 1e-9
            ? `The trace peaks together with the effect, at ${number(time[peakAt(h)] ?? NaN)} s.`
            : `The trace peaks ${number(Math.abs(ms))} ms ${ms < 0 ? 'before' : 'after'} the effect.`,
    },
  ];
}

/** The output's answer to a pulse in o. */
export function response(result: Result): Figure[] {
  const time = values(result, 'signals/time_s');
  const list = values(result, 'signals/response');
  if (!time || !list || !someFinite(list) || largest(list) === 0) return [];
  const to = Math.min(list.length, Math.ceil(1.2 * lastSeen(list, 0.05)) + 2);
  return [
    {
      id: 'response',
      title: "The output's answer to a pulse in o",
      x: { label: 'time after the pulse (s)' },
      y: { label: 'output per unit pulse' },
      xs: time.slice(0, to),
      series: [{ name: 'impulse response', role: 'learned', values: list.slice(0, to) }],
      says: `It peaks ${number(1e3 * (time[peakAt(list)] ?? NaN))} ms after the pulse, at ${number(list[peakAt(list)] ?? NaN)}.`,
    },
  ];
}
