// SPDX-License-Identifier: Apache-2.0
// download: text as a file of the person who reads the page.
import { csv } from './csv';
import type { Figure } from './figure';
import { svg } from './svg';

export function download(name: string, text: string, type = 'text/plain'): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: the browser reads the address after the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function button(text: string, says: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'quiet';
  made.textContent = text;
  made.setAttribute('aria-label', says);
  made.addEventListener('click', act);
  return made;
}

/** Buttons for the figure that is shown when they are pressed; prefix: what its files' names begin with. */
export function downloadButtons(figure: () => Figure, prefix: () => string = () => 'cfpc-'): HTMLElement[] {
  const name = () => `${prefix()}${figure().id}`.replace(/[^\w.+-]+/g, '-');
  const title = figure().title;
  return [
    button('CSV', `CSV: download the numbers of “${title}”`, () =>
      download(`${name()}.csv`, csv(figure()), 'text/csv'),
    ),
    button('SVG', `SVG: download the drawing of “${title}”`, () =>
      download(`${name()}.svg`, svg(figure()), 'image/svg+xml'),
    ),
  ];
}
