// SPDX-License-Identifier: Apache-2.0
// scans: several runs within one: delays of a delta trace, constants that were tuned, numbers of
// synapses.
import type { Result } from '../../../cfpc/src/types';
import type { Figure, Series } from '../../parts/figure';
import { listed, number, roleOf, someFinite, trials, under, values } from './data';

const TOP = 1.2; // above 1 a rule is worse than none; how much worse is not shown

function leastAt(list: ArrayLike<number>): number {
  let at = -1;
  for (let i = 0; i < list.length; i++) {
    const value = list[i] ?? NaN;
    if (Number.isFinite(value) && (at < 0 || value < (list[at] ?? NaN))) at = i;
  }
  return at;
}

/** Which delay of a delta trace is best. */
export function delayScan(result: Result): Figure[] {
  const xs = values(result, 'delays/delay_ms');
  const rrmse = values(result, 'delays/rrmse');
  if (!xs || !rrmse || !someFinite(rrmse)) return [];
  const best = leastAt(rrmse);
  const above = Array.from(rrmse).filter((value) => !(value <= TOP)).length;
  return [
    {
      id: 'delays',
      title: 'Which delay of the trace is best',
      x: { label: 'delay of the delta trace (ms)' },
      y: { label: 'rRMSE', min: 0, max: TOP },
      xs,
      series: [{ name: 'delta trace', role: 'reactive', values: rrmse }],
      marks: [{ y: 1, says: 'loop alone' }],
      says:
        `The best delay is ${number(xs[best] ?? NaN)} ms, with an rRMSE of ${number(rrmse[best] ?? NaN)}.` +
        (above > 0 ? ` At ${above} of ${xs.length} delays it is above ${TOP} or diverged, and is not shown.` : ''),
    },
  ];
}

// ---- tuning --------------------------------------------------------------------------------------

interface Tried {
  at: number;
  rrmse: number;
}

function tuningOf(result: Result, rule: string, key: string, error: Float64Array): Figure[] {
  const tried = values(result, `tuning/${rule}/${key}`);
  if (!tried) return [];
  const rows: Tried[] = Array.from(tried, (at, i) => ({ at, rrmse: error[i] ?? NaN }))
    .filter((row) => Number.isFinite(row.at))
    .sort((a, b) => a.at - b.at);
  const rrmse = rows.map((row) => (row.rrmse > 0 ? row.rrmse : NaN));
  const best = rows[leastAt(rrmse)];
  const failed = rrmse.filter((value) => Number.isNaN(value)).length;
  if (!best) return [];
  return [
    {
      id: `tuning-${rule}-${key}`,
      title: `Tuning of ${rule}: ${key}`,
      x: { label: key },
      y: { label: 'rRMSE', log: true },
      xs: rows.map((row) => row.at),
      series: [{ name: rule, role: roleOf(result, rule), values: rrmse, points: true }],
      says:
        `Of ${rows.length} settings tried, ${key} of ${number(best.at)} is best, with an rRMSE of ${number(best.rrmse)}.` +
        (failed > 0 ? ` ${failed} of them diverged.` : ''),
    },
  ];
}

/** What was tried of each constant of a rule, and what it came to. */
export function tuning(result: Result): Figure[] {
  return under(result, 'tuning/')
    .filter(([name]) => name.endsWith('/rrmse'))
    .flatMap(([name, error]) => {
      const rule = name.slice(0, -'/rrmse'.length);
      const keys = under(result, `tuning/${rule}/`)
        .map(([key]) => key)
        .filter((key) => key !== 'rrmse');
      return keys.flatMap((key) => tuningOf(result, rule, key, error.values));
    });
}

// ---- scale ---------------------------------------------------------------------------------------

/** Learning curves of cells with other numbers of synapses. */
export function scale(result: Result): Figure[] {
  const sizes = under(result, 'scale/')
    .filter(([name]) => name.endsWith('/rrmse'))
    .map(([name, dataset]) => ({ count: Number(name.split('/')[0]), curve: dataset.values }))
    .sort((a, b) => a.count - b.count);
  if (sizes.length === 0) return [];
  const series: Series[] = sizes.map((size, i) => ({
    name: `${number(size.count)} synapses`,
    role: ((i % 6) + 1) as Series['role'],
    values: Float64Array.from(size.curve, (value) => (value > 0 ? value : NaN)),
  }));
  const most = Math.max(...sizes.map((size) => size.curve.length));
  const last = sizes.map((size) => `${number(size.curve[size.curve.length - 1] ?? NaN)} with ${number(size.count)}`);
  return [
    {
      id: 'scale',
      title: 'The same task, with more synapses',
      x: { label: 'trial' },
      y: { label: 'rRMSE', log: true },
      xs: most === trials(result).length ? trials(result) : Array.from({ length: most }, (_, i) => i + 1),
      series,
      says: `rRMSE at the last trial: ${listed(last)} synapses.`,
    },
  ];
}
