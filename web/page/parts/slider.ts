// SPDX-License-Identifier: Apache-2.0
// slider: a number that is dragged, with its label and value. A native range input: keys, touch and
// screen readers work as everywhere else.
import { withUnit } from './number';

export interface SliderOptions {
  /** Unique in its page. */
  id: string;
  label: string;
  unit?: string;
  min: number;
  max: number;
  step: number;
  value: number;
  /** While it is dragged. */
  onInput(value: number): void;
  /** The value in words; default: the number with its unit. */
  format?(value: number): string;
}

export interface Slider {
  readonly value: number;
  /** Moves it without a call of onInput. */
  set(value: number): void;
  disable(disabled: boolean): void;
}

export function slider(host: HTMLElement, options: SliderOptions): Slider {
  const says = options.format ?? ((value: number) => withUnit(value, options.unit, 4));
  const box = document.createElement('div');
  box.className = 'slider';
  const label = document.createElement('label');
  label.htmlFor = options.id;
  label.textContent = options.label;
  const output = document.createElement('output');
  output.htmlFor.add(options.id);
  // The input's own aria-valuetext is read; a second live region would say it twice.
  output.setAttribute('aria-live', 'off');
  const input = document.createElement('input');
  Object.assign(input, { type: 'range', id: options.id });
  Object.assign(input, { min: String(options.min), max: String(options.max), step: String(options.step) });
  box.append(label, output, input);
  host.append(box);

  function show(): void {
    const text = says(input.valueAsNumber);
    output.textContent = text;
    input.setAttribute('aria-valuetext', text);
    const span = options.max - options.min || 1;
    input.style.setProperty('--filled', `${(100 * (input.valueAsNumber - options.min)) / span}%`);
  }
  function set(value: number): void {
    input.value = String(value);
    show();
  }
  input.addEventListener('input', () => {
    show();
    options.onInput(input.valueAsNumber);
  });
  set(options.value);
  return {
    get value() {
      return input.valueAsNumber;
    },
    set,
    disable(disabled) {
      input.disabled = disabled;
      box.classList.toggle('disabled', disabled);
    },
  };
}
