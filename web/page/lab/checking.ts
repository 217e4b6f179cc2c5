// SPDX-License-Identifier: Apache-2.0
// checking: the validator reads along while a person types: a moment after the last key, and only the
// newest text.
import { parse } from 'yaml';
import type { Options, Spec, Why } from '../../cfpc/src/types';
import { client, latest } from '../parts/client';
import { whyOf } from './runner';

const PAUSE_MS = 250;
/** A check sets up all that a run needs. Who types does not wait longer for that. */
const CHECK_MS = 5000;

/** What the spec says, before its loop and its rules are tried. */
export interface Read {
  title: string;
  rules: string[];
}

export interface Checking {
  soon(): void;
  /** true: it is good; false: it is not, or that takes too long to find out. */
  now(): Promise<boolean>;
}

interface Callbacks {
  spec(): Spec;
  options(): Options;
  onRead(read: Read): void;
  onGood(): void;
  onLate(): void;
  onWrong(why: Why): void;
}

/** Of a spec with every default. */
function readOf(text: string): Read {
  const spec = parse(text, { schema: 'failsafe' }) as { title: string; rules: { name: string }[] };
  return { title: spec.title, rules: spec.rules.map(({ name }) => name) };
}

export function checking(callbacks: Callbacks): Checking {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const check = latest(async (): Promise<boolean> => {
    const spec = callbacks.spec();
    const current = (): boolean => callbacks.spec().text === spec.text;
    try {
      const remote = await client();
      const text = await remote.show(spec, callbacks.options());
      if (!current()) return false;
      callbacks.onRead(readOf(text));
      await remote.check(spec, { ...callbacks.options(), deadlineMs: CHECK_MS });
      if (current()) callbacks.onGood();
      return current();
    } catch (thrown) {
      const why = whyOf(thrown);
      if (why.outcome === 'stopped')
        soon(); // Stop was meant for the run
      else if (current() && why.outcome === 'late') callbacks.onLate();
      else if (current()) callbacks.onWrong(why);
      return false;
    }
  });

  function soon(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), PAUSE_MS);
  }

  return {
    soon,
    async now() {
      clearTimeout(timer);
      return (await check()) === true;
    },
  };
}
