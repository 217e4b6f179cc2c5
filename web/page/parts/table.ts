// SPDX-License-Identifier: Apache-2.0
// table: a figure as numbers that a screen reader reads, thinned to what a person can follow.
import type { Figure } from './figure';
import { header } from './csv';
import { number } from './number';

const MAX_ROWS = 20;

export interface Rows {
  header: string[];
  cells: string[][];
  /** Says so where rows were left out; '': all are there. */
  note: string;
}

/** At most 20 rows, evenly spaced, with the first and the last. */
export function rowsOf(figure: Figure): Rows {
  const count = figure.xs.length;
  const shown = Math.min(count, MAX_ROWS);
  const cells: string[][] = [];
  for (let k = 0; k < shown; k++) {
    const i = shown === count ? k : Math.round((k * (count - 1)) / (shown - 1));
    // The x column must tell its rows apart, which takes more digits than a value needs.
    cells.push([number(figure.xs[i] as number, 5), ...figure.series.map((s) => number(s.values[i] ?? NaN, 4))]);
  }
  const note = shown === count ? '' : `${shown} of ${count} rows, evenly spaced; the CSV file has all of them.`;
  return { header: header(figure), cells, note };
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** In a box of its own that scrolls, so that a wide table does not widen the page. */
export function table(figure: Figure): HTMLElement {
  const rows = rowsOf(figure);
  const made = element('table');
  made.append(element('caption', rows.note === '' ? figure.title : `${figure.title}. ${rows.note}`));
  const head = made.createTHead().insertRow();
  for (const name of rows.header) {
    const th = element('th', name);
    th.scope = 'col';
    head.append(th);
  }
  const body = made.createTBody();
  for (const cells of rows.cells) {
    const tr = body.insertRow();
    cells.forEach((text, column) => {
      const made = element(column === 0 ? 'th' : 'td', text);
      if (made instanceof HTMLTableCellElement && column === 0) made.scope = 'row';
      tr.append(made);
    });
  }
  const box = element('div');
  box.className = 'table-box';
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', `Numbers: ${figure.title}`);
  box.append(made);
  return box;
}
