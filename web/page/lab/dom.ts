// SPDX-License-Identifier: Apache-2.0
// dom: elements with little ceremony.

type Props = Record<string, string | boolean | ((event: Event) => void)>;

/** An element with attributes (a function is a listener of "on…") and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** An element of lab.html; its ids are listed in lab.ts. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`lab.html has no element ${id}`);
  return found as T;
}

export function button(text: string, act: () => void, props: Props = {}): HTMLButtonElement {
  return el('button', { type: 'button', ...props, onclick: act }, text);
}

/** A table in a box that scrolls by itself, so that a wide one does not widen the page. */
export function tableOf(caption: string, header: string[], rows: (Node | string)[][]): HTMLElement {
  const head = el('tr', {}, ...header.map((text) => el('th', { scope: 'col' }, text)));
  const body = rows.map((cells) =>
    el('tr', {}, ...cells.map((cell, i) => (i === 0 ? el('th', { scope: 'row' }, cell) : el('td', {}, cell)))),
  );
  return el(
    'div',
    { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': caption },
    el('table', {}, el('caption', {}, caption), el('thead', {}, head), el('tbody', {}, ...body)),
  );
}
