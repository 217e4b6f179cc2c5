// SPDX-License-Identifier: Apache-2.0
// cells: many cells at once: those of a zone, and those of two joints.
import type { Result } from '../../../cfpc/src/types';
import type { Figure, Series } from '../../parts/figure';
import { listed, number, someFinite, under, values } from './data';

/** Roles in the order of the ways: the cell's own model is what the others are compared with. */
const ROLES: Series['role'][] = ['learned', 1, 2, 3, 4, 5, 6];

function median(list: number[]): number {
  const sorted = list.filter(Number.isFinite).sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[half] ?? NaN) : ((sorted[half - 1] ?? NaN) + (sorted[half] ?? NaN)) / 2;
}

// One point per cell, against what its loop has: cells in the order of x.
function zoneAgainst(result: Result, key: string, label: string, id: string): Figure[] {
  const at = values(result, `zone/${key}`);
  const ways = under(result, 'zone/last/').filter(([, way]) => someFinite(way.values));
  if (!at || ways.length === 0 || new Set(at).size < 2) return [];
  const order = Array.from(at.keys()).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
  const ordered = (list: ArrayLike<number>): number[] =>
    order.map((cell) => ((list[cell] ?? NaN) > 0 ? (list[cell] as number) : NaN));
  const best = values(result, 'zone/optimum');
  const optimum: Series[] =
    best && someFinite(best) ? [{ name: 'optimum', role: 'optimum', values: ordered(best), points: true }] : [];
  const middles = ways.map(([name, way]) => `${name} ${number(median(Array.from(way.values)))}`);
  return [
    {
      id,
      title: `What is left of each cell's error, by the ${label.replace(/ \(.*/, '')} of its loop`,
      x: { label },
      y: { label: 'rRMSE at the last trial', log: true },
      xs: order.map((cell) => at[cell] ?? NaN),
      series: [
        ...ways.map(
          ([name, way], i): Series => ({ name, role: ROLES[i % 7] ?? 1, values: ordered(way.values), points: true }),
        ),
        ...optimum,
      ],
      marks: [{ y: 1, says: 'loop alone' }],
      says: `${order.length} cells, one point each and per way of teaching. Half of them keep less than: ${listed(middles)}.`,
    },
  ];
}

export function zone(result: Result): Figure[] {
  return [
    ...zoneAgainst(result, 'delay', 'delay (ms)', 'zone-delay'),
    ...zoneAgainst(result, 'time_constant', 'time constant (ms)', 'zone-time-constant'),
  ];
}

/** The error of both joints together, by how strongly they are coupled. */
export function joints(result: Result): Figure[] {
  const xs = values(result, 'joints/coupling');
  const rules = under(result, 'joints/last/');
  if (!xs || rules.length === 0) return [];
  const measure = (name: string): number => result.measures.find((one) => one.name === name)?.value ?? NaN;
  const fails = measure('joints.fails_from');
  return [
    {
      id: 'joints',
      title: 'Two joints: the error of both, by their coupling',
      x: { label: 'coupling' },
      y: { label: 'rRMSE at the last trial', log: true },
      xs,
      series: rules.map(
        ([name, last], i): Series => ({
          name,
          role: ROLES[i % 7] ?? 1,
          values: Float64Array.from(last.values, (value) => (value > 0 ? value : NaN)),
        }),
      ),
      marks: Number.isFinite(fails) ? [{ x: fails, says: 'per-zone fails' }] : [],
      says: Number.isFinite(fails)
        ? `From a coupling of ${number(fails)} on, cells that know their own joint alone end with more than 1.5 times the error.`
        : 'At no coupling of this spec do cells that know their own joint alone end with more than 1.5 times the error.',
    },
  ];
}
