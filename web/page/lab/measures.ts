// SPDX-License-Identifier: Apache-2.0
// measures: every number that a run was reduced to, in a table that is searched by name.
import type { Measure } from '../../cfpc/src/types';
import { number } from '../parts/number';
import { el, tableOf } from './dom';

const SHOWN = 60; // rows; a search finds the others

/** Those whose name holds every word that was typed. */
export function matching(measures: Measure[], words: string): Measure[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return measures.filter((measure) => wanted.every((word) => measure.name.toLowerCase().includes(word)));
}

function caption(found: number, all: number): string {
  if (found === 0) return `None of ${all} measures has that name.`;
  const some = found === all ? `${all} measures` : `${found} of ${all} measures`;
  return found > SHOWN ? `${some}; the first ${SHOWN} are shown` : some;
}

function unit(text: string): string {
  return text === '1' ? '' : text;
}

export interface MeasuresView {
  show(measures: Measure[]): void;
}

export function measuresView(search: HTMLInputElement, host: HTMLElement): MeasuresView {
  let all: Measure[] = [];
  function draw(): void {
    const found = matching(all, search.value);
    const rows = found.slice(0, SHOWN).map((one) => [one.name, number(one.value, 5), unit(one.unit)]);
    const says = caption(found.length, all.length);
    host.replaceChildren(
      rows.length > 0 ? tableOf(says, ['measure', 'value', 'unit'], rows) : el('p', { role: 'status' }, says),
    );
  }
  search.addEventListener('input', draw);
  return {
    show(measures) {
      all = measures;
      draw();
    },
  };
}
