// SPDX-License-Identifier: Apache-2.0
// sliders: a slider for any number of the spec. It changes that number where it is in the text, and
// nothing else: comments and layout stay.
import { type NumberAt, type Range, describe, numbersOf, rangeOf, withNumber } from '../../cfpc/src/numbers';
import { number } from '../parts/number';
import { type Slider, slider } from '../parts/slider';
import { button, byId, el } from './dom';

/** What an experiment begins with: the keys of these that it has, the first three. */
const FIRST = [
  'loop.delay_ms',
  'loop.controller.kp',
  'loop.measurement_delay_ms',
  'learning.rate_fraction',
  'learning.trials',
  'basis.count',
  'zone.cells',
];

export interface Sliders {
  /** The text has changed: by hand, by a slider, or another was chosen. */
  follow(text: string): void;
  /** Sliders for these keys, or those that an experiment begins with. */
  choose(paths: string[] | undefined, text: string): void;
  readonly paths: string[];
}

interface Callbacks {
  text(): string;
  /** A slider was moved: the new text, and its key. */
  onMove(text: string, path: string): void;
  /** It was let go, or moved by a key. */
  onRelease(): void;
  /** A slider was added or removed. */
  onChoice(): void;
}

interface Row {
  path: string;
  box: HTMLElement;
  note: HTMLElement;
  /** Drawn for this range; another value outside of it needs another. */
  range: Range;
  slider: Slider;
  start: number;
}

/** The keys that a person may look for, by every word typed. */
export function found(all: NumberAt[], words: string): NumberAt[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return all.filter((one) => wanted.every((word) => one.path.toLowerCase().includes(word)));
}

/** The keys that get a slider at first. */
export function firstPaths(all: NumberAt[]): string[] {
  return FIRST.filter((path) => all.some((one) => one.path === path)).slice(0, 3);
}

export function sliders(callbacks: Callbacks): Sliders {
  const host = byId('lab-sliders');
  const filter = byId<HTMLInputElement>('lab-key-filter');
  const list = byId<HTMLSelectElement>('lab-key');
  const add = byId<HTMLButtonElement>('lab-key-add');
  const rows: Row[] = [];
  let all: NumberAt[] = []; // of the text as it is

  function at(path: string): NumberAt | undefined {
    return all.find((one) => one.path === path);
  }

  function move(path: string, value: number): void {
    const place = at(path);
    if (place) callbacks.onMove(withNumber(callbacks.text(), place, value), path);
  }

  function idOf(path: string): string {
    return `slider-${path.replace(/[^\w-]+/g, '_')}`;
  }

  function makeSlider(box: HTMLElement, path: string, place: NumberAt): Pick<Row, 'range' | 'slider'> {
    const range = rangeOf(place, all);
    box.querySelector('.slider')?.remove();
    const holder = el('div');
    const made = slider(holder, {
      id: idOf(path),
      label: path,
      unit: describe(path).unit,
      ...range,
      value: place.value,
      onInput: (value) => move(path, value),
    });
    const drawn = holder.firstElementChild;
    if (drawn) box.prepend(drawn);
    return { range, slider: made };
  }

  function addRow(path: string): void {
    const place = at(path);
    if (!place || rows.some((row) => row.path === path)) return;
    const box = el('div', { class: 'lab-slider', 'data-path': path });
    const note = el('p', { class: 'note', role: 'status' });
    const row: Row = { path, box, note, start: place.value, ...makeSlider(box, path, place) };
    box.append(
      el(
        'div',
        { class: 'lab-slider-buttons' },
        button('Reset', () => move(path, row.start), {
          class: 'quiet',
          'aria-label': `Reset ${path} to ${number(row.start, 6)}`,
        }),
        button('Remove', () => removeRow(row), { class: 'quiet', 'aria-label': `Remove the slider for ${path}` }),
      ),
      note,
    );
    rows.push(row);
    host.append(box);
  }

  function removeRow(row: Row): void {
    rows.splice(rows.indexOf(row), 1);
    row.box.remove();
    callbacks.onChoice();
    filter.focus();
  }

  function followRow(row: Row): void {
    const place = at(row.path);
    row.slider.disable(!place);
    row.note.textContent = place
      ? ''
      : all.length > 0
        ? `The spec has no number at ${row.path} now.`
        : 'The spec cannot be read now.';
    if (!place || place.value === row.slider.value) return;
    const outside = place.value < row.range.min || place.value > row.range.max;
    if (outside) Object.assign(row, makeSlider(row.box, row.path, place));
    else row.slider.set(place.value);
  }

  function offer(): void {
    const chosen = list.value;
    const options = found(all, filter.value).map((one) =>
      el('option', { value: one.path }, `${one.path} = ${number(one.value, 6)}`),
    );
    list.replaceChildren(...options);
    list.value = chosen;
    if (list.selectedIndex < 0) list.selectedIndex = 0;
    add.disabled = options.length === 0;
    byId('lab-key-count').textContent =
      options.length === all.length ? `${all.length} numbers` : `${options.length} of ${all.length} numbers`;
  }

  function follow(text: string): void {
    all = numbersOf(text);
    offer();
    rows.forEach(followRow);
  }

  function addChosen(): void {
    const path = list.value;
    if (path === '') return;
    addRow(path);
    callbacks.onChoice();
    document.getElementById(idOf(path))?.focus();
  }

  host.addEventListener('change', () => callbacks.onRelease());
  filter.addEventListener('input', offer);
  filter.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') addChosen();
  });
  list.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') addChosen();
  });
  list.addEventListener('dblclick', addChosen);
  add.addEventListener('click', addChosen);
  return {
    follow,
    choose(paths, text) {
      for (const row of rows.splice(0)) row.box.remove();
      all = numbersOf(text);
      (paths ?? firstPaths(all)).forEach(addRow);
      offer();
    },
    get paths() {
      return rows.map((row) => row.path);
    },
  };
}
