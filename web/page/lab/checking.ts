// SPDX-License-Identifier: Apache-2.0
// checking: the validator reads along while a person types: a moment after the last key, and only the
// newest text.
import type { Checked, Options, Spec, Why } from '../../cfpc/src/types';
import { client, latest } from '../parts/client';
import { whyOf } from './runner';

const PAUSE_MS = 250;

export interface Checking {
  soon(): void;
  now(): Promise<Checked | undefined>;
}

interface Callbacks {
  spec(): Spec;
  options(): Options;
  onGood(checked: Checked): void;
  onWrong(why: Why): void;
}

export function checking(callbacks: Callbacks): Checking {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const check = latest(async (): Promise<Checked | undefined> => {
    const spec = callbacks.spec();
    const current = (): boolean => callbacks.spec().text === spec.text;
    try {
      const checked = await (await client()).check(spec, callbacks.options());
      if (!current()) return undefined;
      callbacks.onGood(checked);
      return checked;
    } catch (thrown) {
      const why = whyOf(thrown);
      if (why.outcome === 'stopped') soon(); // Stop was meant for the run
      else if (current()) callbacks.onWrong(why);
      return undefined;
    }
  });

  function soon(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), PAUSE_MS);
  }

  return {
    soon,
    now() {
      clearTimeout(timer);
      return check();
    },
  };
}
