// SPDX-License-Identifier: Apache-2.0
// dom: elements in one expression, and text that a screen reader is told once it rests.

type Child = Node | string;

/** An element with attributes and children; text is text, never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function makeSvg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAll(element, attributes);
  element.append(...children);
  return element;
}

export function setAll(element: Element, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

export function button(id: string, label: string, onClick: () => void): HTMLButtonElement {
  const element = make('button', { id, type: 'button' }, label);
  element.addEventListener('click', onClick);
  return element;
}

/** The part of a chapter's section that its script fills. */
export function livePart(host: HTMLElement): HTMLElement {
  const part = host.querySelector<HTMLElement>('.live') ?? host;
  part.replaceChildren();
  return part;
}

/** A box at the end of another. */
export function place(host: HTMLElement, className: string): HTMLElement {
  const element = make('div', { class: className });
  host.append(element);
  return element;
}

/** How long a result must rest before it is read aloud. */
const REST_MS = 700;

/**
 * A sentence that is seen at once, and read aloud only when it has not changed for a while. The first one,
 * which nobody asked for, is not read aloud.
 */
export function resultLine(host: HTMLElement, id: string): (text: string, aloud?: boolean) => void {
  const seen = make('p', { id, class: 'result' });
  const heard = make('p', { id: `${id}-heard`, class: 'visually-hidden', role: 'status' });
  host.append(seen, heard);
  let timer = 0;
  return (text, aloud = true) => {
    const first = seen.textContent === '';
    seen.textContent = text;
    window.clearTimeout(timer);
    if (aloud && !first) timer = window.setTimeout(() => (heard.textContent = text), REST_MS);
  };
}
