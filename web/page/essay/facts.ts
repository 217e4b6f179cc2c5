// SPDX-License-Identifier: Apache-2.0
// facts: a row of named values.
import { make } from './dom';

export interface Fact {
  id: string;
  label: string;
}

/** Appends the row; the function that it returns sets the values by their ids. */
export function values(host: HTMLElement, prefix: string, facts: Fact[]): (texts: Record<string, string>) => void {
  const cells = new Map<string, HTMLElement>();
  const list = make('dl', { class: 'facts' });
  for (const fact of facts) {
    const cell = make('dd', { id: `${prefix}-${fact.id}` }, '…');
    cells.set(fact.id, cell);
    list.append(make('div', {}, make('dt', {}, fact.label), cell));
  }
  host.append(list);
  return (texts) => {
    for (const [id, text] of Object.entries(texts)) {
      const cell = cells.get(id);
      if (cell) cell.textContent = text;
    }
  };
}
