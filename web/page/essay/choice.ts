// SPDX-License-Identifier: Apache-2.0
// choice: one of a few, by native radio buttons: arrow keys and screen readers work as everywhere else.
import { make } from './dom';

export interface ChoiceOptions<T extends string> {
  /** Of the group; each button has the id GROUP-VALUE. */
  id: string;
  legend: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange(value: T): void;
}

export interface Choice<T extends string> {
  readonly value: T;
}

export function choice<T extends string>(host: HTMLElement, given: ChoiceOptions<T>): Choice<T> {
  let value = given.value;
  const group = make('fieldset', { id: given.id, class: 'one-of' }, make('legend', {}, given.legend));
  for (const option of given.options) {
    const id = `${given.id}-${option.value}`;
    const input = make('input', { type: 'radio', id, name: given.id, value: option.value });
    input.checked = option.value === value;
    input.addEventListener('change', () => {
      value = option.value;
      given.onChange(value);
    });
    group.append(make('label', { for: id }, input, ` ${option.label}`));
  }
  host.append(group);
  return {
    get value() {
      return value;
    },
  };
}
