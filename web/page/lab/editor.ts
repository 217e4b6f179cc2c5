// SPDX-License-Identifier: Apache-2.0
// editor: the spec's text, with line numbers and what is wrong at its place. It is a textarea, so that
// undo, selection, spell checkers and screen readers work as everywhere else. Behind it lies a copy of
// the text that no one sees, but for the line under what is wrong.
import type { Why } from '../../cfpc/src/types';
import { byId, el } from './dom';
import { lineCount, spanOf } from './place';

export interface Editor {
  readonly text: string;
  /** Another text, which Ctrl+Z takes back. Calls with the same `by`, one after another, are one step. */
  set(text: string, by: string): void;
  /** Says what is wrong, at its place; undefined: nothing is. */
  show(why: Pick<Why, 'message' | 'place'> | undefined): void;
  /** The cursor goes to what is wrong. */
  jump(): void;
}

interface Step {
  before: string;
  after: string;
  by: string;
}

export function editor(onInput: () => void): Editor {
  const area = byId<HTMLTextAreaElement>('lab-editor');
  const gutter = byId('lab-gutter');
  const copy = byId('lab-underline');
  const message = byId('lab-message');
  const go = byId<HTMLButtonElement>('lab-jump');
  const steps: Step[] = []; // a text that is set from outside clears the browser's own undo
  let wrong: Pick<Why, 'message' | 'place'> | undefined;

  function number(): void {
    const lines = lineCount(area.value);
    while (gutter.childElementCount > lines) gutter.lastElementChild?.remove();
    while (gutter.childElementCount < lines) gutter.append(el('span', {}, String(gutter.childElementCount + 1)));
    const line = wrong?.place?.line ?? 0;
    for (const [i, one] of Array.from(gutter.children).entries()) one.classList.toggle('wrong', i + 1 === line);
  }

  function underline(): void {
    copy.replaceChildren();
    if (!wrong?.place) return;
    const { from, to } = spanOf(area.value, wrong.place);
    const word = area.value.slice(from, to);
    // After the last character of a line nothing is there to underline: a space is.
    copy.append(area.value.slice(0, from), el('mark', {}, word === '' ? ' ' : word), `${area.value.slice(to)}\n`);
  }

  function follow(): void {
    gutter.scrollTop = area.scrollTop;
    copy.scrollTop = area.scrollTop;
    copy.scrollLeft = area.scrollLeft;
  }

  function changed(): void {
    show(undefined); // what was wrong may be elsewhere now
    onInput();
  }

  function show(why: Pick<Why, 'message' | 'place'> | undefined): void {
    wrong = why;
    message.textContent = why ? why.message : '';
    go.hidden = !why?.place;
    if (why?.place) go.textContent = `Go to line ${why.place.line} (F8)`;
    if (why) area.setAttribute('aria-invalid', 'true');
    else area.removeAttribute('aria-invalid');
    number();
    underline();
    follow();
  }

  function jump(): void {
    if (!wrong?.place) return;
    const { from, to } = spanOf(area.value, wrong.place);
    area.focus();
    area.setSelectionRange(from, to);
    const height = area.scrollHeight / lineCount(area.value);
    area.scrollTop = Math.max(0, (wrong.place.line - 1) * height - area.clientHeight / 2);
    follow();
  }

  function put(text: string): void {
    const { scrollTop, scrollLeft } = area;
    area.value = text;
    area.scrollTop = scrollTop;
    area.scrollLeft = scrollLeft;
    changed();
  }

  function set(text: string, by: string): void {
    if (text === area.value) return;
    const last = steps[steps.length - 1];
    if (last && last.by === by && last.after === area.value) last.after = text;
    else steps.push({ before: area.value, after: text, by });
    put(text);
  }

  // Ours only where the text is as we left it: what was typed since then is the browser's to undo.
  function undo(event: KeyboardEvent): void {
    const last = steps[steps.length - 1];
    if (!last || last.after !== area.value) return;
    event.preventDefault();
    steps.pop();
    put(last.before);
  }

  area.addEventListener('input', changed);
  area.addEventListener('scroll', follow, { passive: true });
  area.addEventListener('keydown', (event) => {
    if (event.key === 'F8') {
      event.preventDefault();
      jump();
    } else if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z') undo(event);
  });
  go.addEventListener('click', jump);
  number();
  return {
    get text() {
      return area.value;
    },
    set,
    show,
    jump,
  };
}
