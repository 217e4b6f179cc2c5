// SPDX-License-Identifier: Apache-2.0
// say: the page's status line, which a screen reader reads out. An error stays until it is closed or
// something else is said.

const SECONDS_SHOWN = 8;
let hiding: ReturnType<typeof setTimeout> | undefined;

interface Line {
  box: HTMLElement;
  text: HTMLElement;
}

/** Both pages have the box in their HTML: a live region must be there before its text changes. */
function line(): Line {
  const found = document.getElementById('status');
  const box = found ?? document.body.appendChild(document.createElement('div'));
  if (!found) box.id = 'status';
  const text = box.querySelector('p') ?? box.appendChild(document.createElement('p'));
  if (!text.hasAttribute('role')) {
    text.setAttribute('role', 'status');
    text.setAttribute('aria-live', 'polite');
  }
  if (!box.querySelector('button')) {
    const close = box.appendChild(document.createElement('button'));
    close.type = 'button';
    close.textContent = 'Close';
    close.addEventListener('click', hush);
  }
  return { box, text };
}

export function hush(): void {
  clearTimeout(hiding);
  const { box, text } = line();
  box.classList.remove('shown', 'error');
  text.textContent = '';
}

export function say(says: string, kind: 'info' | 'error' = 'info'): void {
  clearTimeout(hiding);
  const { box, text } = line();
  text.textContent = says;
  box.classList.toggle('error', kind === 'error');
  box.classList.add('shown');
  if (kind === 'info') hiding = setTimeout(hush, SECONDS_SHOWN * 1000);
}
