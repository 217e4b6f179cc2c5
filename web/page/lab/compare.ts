// SPDX-License-Identifier: Apache-2.0
// compare: a run that is kept, and the one after it: its curves behind the new ones, and the measures
// that differ.
import type { Measure, Result } from '../../cfpc/src/types';
import type { Figure, Series } from '../parts/figure';
import { number } from '../parts/number';
import { el, tableOf } from './dom';

const OVERLAID = 4; // curves of one figure

// ---- curves ------------------------------------------------------------------------------------

/** Values at other x: linear in between, NaN outside. */
export function resampled(xs: ArrayLike<number>, of: ArrayLike<number>, onto: ArrayLike<number>): Float64Array {
  const out = new Float64Array(onto.length).fill(NaN);
  let i = 0;
  for (let k = 0; k < onto.length; k++) {
    const x = onto[k] as number;
    while (i + 1 < xs.length && (xs[i + 1] as number) <= x) i++;
    const [x0, y0] = [xs[i] as number, of[i] as number];
    if (x0 === x) out[k] = y0;
    else if (x0 < x && i + 1 < xs.length) {
      const [x1, y1] = [xs[i + 1] as number, of[i + 1] as number];
      out[k] = y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
    }
  }
  return out;
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}

function union(a: ArrayLike<number>, b: ArrayLike<number>): ArrayLike<number> {
  if (sameNumbers(a, b)) return a;
  return Float64Array.from([...new Set([...Array.from(a), ...Array.from(b)])].sort((x, y) => x - y));
}

// What changed, the most telling first; what is the same lies under the new curve anyway.
function changed(now: Figure, kept: Figure): Series[] {
  const rank = (one: Series): number => ['learned', 'error', 'o'].indexOf(String(one.role));
  return kept.series
    .filter((one) => !now.series.some((other) => sameNumbers(one.values, other.values) && sameNumbers(now.xs, kept.xs)))
    .sort((a, b) => (rank(a) < 0 ? 9 : rank(a)) - (rank(b) < 0 ? 9 : rank(b)))
    .slice(0, OVERLAID);
}

// Points of several runs at one x would be lost in a union: they are not resampled.
function canOverlay(now: Figure, kept: Figure): boolean {
  const points = [...now.series, ...kept.series].some((one) => one.points);
  return !points || sameNumbers(now.xs, kept.xs);
}

/** A figure with the curves of the kept run that differ, behind its own. */
export function overlaid(now: Figure, kept: Figure | undefined): Figure {
  const before = kept && canOverlay(now, kept) ? changed(now, kept) : [];
  if (!kept || before.length === 0) return now;
  const xs = union(now.xs, kept.xs);
  const onto = (from: Figure, one: Series): ArrayLike<number> =>
    xs === from.xs ? one.values : resampled(from.xs, one.values, xs);
  return {
    ...now,
    xs,
    series: [
      ...before.map(
        (one): Series => ({ ...one, name: `${one.name}, kept run`, role: 'before', values: onto(kept, one) }),
      ),
      ...now.series.map((one): Series => ({ ...one, values: onto(now, one) })),
    ],
    says: `${now.says} In the kept run: ${kept.says}`,
  };
}

/** All figures of a run, over those of the kept one. */
export function overlay(now: Figure[], kept: Figure[]): Figure[] {
  return now.map((figure) =>
    overlaid(
      figure,
      kept.find((one) => one.id === figure.id),
    ),
  );
}

// ---- measures ------------------------------------------------------------------------------------

export interface Difference {
  name: string;
  unit: string;
  /** NaN: not defined there. */
  kept: number;
  now: number;
}

/** The measures that the runs have not in common, and those that differ; the largest relative change first. */
export function differences(now: Measure[], kept: Measure[]): Difference[] {
  const before = new Map(kept.map((one) => [one.name, one]));
  const names = new Set([...kept.map((one) => one.name), ...now.map((one) => one.name)]);
  const after = new Map(now.map((one) => [one.name, one]));
  const size = (one: Difference): number =>
    Number.isNaN(one.kept - one.now)
      ? Infinity
      : Math.abs(one.now - one.kept) / Math.max(Math.abs(one.now), Math.abs(one.kept));
  return [...names]
    .map((name) => ({
      name,
      unit: (after.get(name) ?? before.get(name))?.unit ?? '',
      kept: before.get(name)?.value ?? NaN,
      now: after.get(name)?.value ?? NaN,
    }))
    .filter((one) => !Object.is(one.kept, one.now))
    .sort((a, b) => size(b) - size(a));
}

/** "+12 %"; '' where one of them is not defined or was 0. */
export function change(of: Difference): string {
  const percent = (100 * (of.now - of.kept)) / Math.abs(of.kept);
  if (!Number.isFinite(percent)) return '';
  return `${percent > 0 ? '+' : ''}${number(percent, 3)} %`;
}

const SHOWN = 100;

export function differencesTable(now: Result, kept: Result): HTMLElement {
  const found = differences(now.measures, kept.measures);
  if (found.length === 0) return el('p', {}, 'Every measure is the same as in the kept run.');
  const more = found.length > SHOWN ? `; the ${SHOWN} that changed most are shown` : '';
  return tableOf(
    `${found.length} measures differ from the kept run${more}`,
    ['measure', 'kept run', 'this run', 'change', 'unit'],
    found
      .slice(0, SHOWN)
      .map((one) => [one.name, number(one.kept, 5), number(one.now, 5), change(one), one.unit === '1' ? '' : one.unit]),
  );
}
