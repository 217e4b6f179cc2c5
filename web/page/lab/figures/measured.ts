// SPDX-License-Identifier: Apache-2.0
// measured: figures of measures: those that a story shows as bars, and those of a population of loops.
// Each is a row of points, with its name on the axis.
import type { Result } from '../../../cfpc/src/types';
import type { Figure, Series } from '../../parts/figure';
import { listed, number } from './data';

function measure(result: Result, name: string): number {
  return result.measures.find((one) => one.name === name)?.value ?? NaN;
}

export interface Bars {
  id: string;
  title: string;
  label: string;
  measures: string[];
  names: string[];
}

const ROLES: Series['role'][] = ['learned', 1, 2, 3, 4, 5, 6];

/** One point per measure, each named in the legend. */
export function bars(result: Result, of: Bars): Figure[] {
  const found = of.measures.map((name) => measure(result, name));
  if (!found.some(Number.isFinite)) return [];
  const names = of.measures.map((name, i) => of.names[i] ?? name);
  const each = names.map(
    (name, i): Series => ({
      name,
      role: ROLES[i % ROLES.length] ?? 1,
      values: found.map((value, k) => (k === i ? value : NaN)),
      points: true,
    }),
  );
  return [
    {
      id: of.id,
      title: of.title,
      x: { label: 'each as in the legend', min: 0.5, max: found.length + 0.5 },
      y: { label: of.label, min: Math.min(0, ...found.filter(Number.isFinite)) },
      xs: found.map((_, i) => i + 1),
      series: each,
      says: `${of.label.charAt(0).toUpperCase()}${of.label.slice(1)}: ${listed(names.map((name, i) => `${name} ${number(found[i] ?? NaN)}`))}.`,
    },
  ];
}

// ---- a population of loops -------------------------------------------------------------------------

interface Cell {
  kind: string;
  trace: string;
  value: number;
}

// population.KIND-BASIS.TRACE.WHAT
function cellsOf(result: Result, what: string): Cell[] {
  return result.measures.flatMap((one): Cell[] => {
    const [root, kind, trace, last] = one.name.split('.');
    return root === 'population' && last === what && kind && trace && Number.isFinite(one.value)
      ? [{ kind, trace, value: one.value }]
      : [];
  });
}

const SHOWN: { what: string; title: string; label: string }[] = [
  { what: 'trials', title: 'Random loops: trials to the optimum', label: 'median number of trials' },
  {
    what: 'worse',
    title: 'Random loops: where a trace is worse than the forward model',
    label: 'fraction of the loops',
  },
  {
    what: 'wrong_worse',
    title: 'Random loops: worse than no cell if the plant is wrong',
    label: 'fraction of the loops',
  },
];

/** One point per kind of loop and per trace. */
export function population(result: Result): Figure[] {
  return SHOWN.flatMap(({ what, title, label }): Figure[] => {
    const cells = cellsOf(result, what);
    const kinds = [...new Set(cells.map((cell) => cell.kind))];
    const traces = [...new Set(cells.map((cell) => cell.trace))];
    if (kinds.length === 0) return [];
    const series = traces.map(
      (trace, i): Series => ({
        name: trace,
        role: trace === 'forward-model' ? 'learned' : (((i % 6) + 1) as Series['role']),
        points: true,
        values: kinds.map((kind) => cells.find((cell) => cell.kind === kind && cell.trace === trace)?.value ?? NaN),
      }),
    );
    return [
      {
        id: `population-${what}`,
        title,
        x: { label: 'kind of loop and basis', min: 0.5, max: kinds.length + 0.9 },
        y: { label, min: 0 },
        xs: kinds.map((_, i) => i + 1),
        series,
        marks: kinds.map((kind, i) => ({ x: i + 1, says: kind })),
        says: `${kinds.length} kinds of random loops with ${listed(traces)}; one point each.`,
      },
    ];
  });
}
