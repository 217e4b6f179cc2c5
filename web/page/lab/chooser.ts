// SPDX-License-Identifier: Apache-2.0
// chooser: which spec is in the editor: an experiment, or one that came in a link. Edits are kept per
// experiment, so that choosing another loses nothing.
import type { Spec } from '../../cfpc/src/types';
import { specOf } from '../parts/link';
import { say } from '../parts/say';
import { byId, el } from './dom';
import { keep, kept } from './drafts';
import { type Experiment, experiments, nameIn } from './experiments';

/** The one in the address, among the experiments. */
const LINKED = '#link';
const DEFAULT = 'pursuit';

export interface Chooser {
  /** Chooses what the address names, what was there before a reload, or the default. */
  start(): Promise<void>;
  /** The text in the editor is another: it is kept. */
  edited(text: string): void;
  /** A slider was added or removed. */
  sliding(paths: string[]): void;
  /** Back to the text of the experiment, or of the link. */
  discard(): void;
  /** Of the published result, where this text is an experiment's as it came. */
  published(text: string): string | undefined;
  /** What a run needs besides the text. */
  rest(): Omit<Spec, 'text'>;
  readonly list: Experiment[];
}

interface Callbacks {
  text(): string;
  /** Another text is chosen; paths: its sliders, if some were chosen before. */
  onChosen(text: string, paths: string[] | undefined, experiment: Experiment): void;
}

/** A % that encodes nothing is a % of the name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function chooser(callbacks: Callbacks): Chooser {
  const select = byId<HTMLSelectElement>('lab-experiment');
  const discard = byId<HTMLButtonElement>('lab-reset');
  const state = kept();
  let list: Experiment[] = [];
  let linked: (Experiment & { files?: Record<string, string> }) | undefined;
  let chosen: Experiment | undefined;

  function originalOf(name: string): Experiment | undefined {
    return name === LINKED ? linked : list.find((one) => one.name === name);
  }

  function remember(): void {
    keep(state);
    discard.disabled = !chosen || !(chosen.name in state.texts);
  }

  function choose(name: string): void {
    const next = originalOf(name);
    if (!next) return;
    const left = chosen && chosen.name !== name && chosen.name in state.texts ? chosen : undefined;
    chosen = next;
    select.value = name;
    state.chosen = name;
    remember();
    callbacks.onChosen(state.texts[name] ?? next.text, state.sliders[name], next);
    if (left)
      say(
        `Your edits to ${left.name === LINKED ? 'the spec of the link' : left.name} are kept: choose it again to see them.`,
      );
    else if (name in state.texts) say('Your edits are here again. “Discard edits” brings back the original.');
  }

  function offer(): void {
    const options = list.map((one) => el('option', { value: one.name }, `${one.name}: ${one.title}`));
    if (linked) options.unshift(el('option', { value: LINKED }, `from the link: ${nameIn(linked.text) || 'a spec'}`));
    select.replaceChildren(...options);
    select.disabled = false;
  }

  // A link's spec is named by the address, so that a reload finds the edits to it, and another link does not.
  async function open(hash: string): Promise<boolean> {
    const named = /^#experiment=(.+)$/.exec(hash);
    if (named) {
      const name = decoded(named[1] ?? '');
      if (originalOf(name)) choose(name);
      else say(`There is no experiment ${name}: choose one of the list.`, 'error');
      return originalOf(name) !== undefined;
    }
    const spec = await specOf(hash);
    if (!spec) {
      // The skip link's address is one of the page itself.
      if (hash !== '' && !document.getElementById(hash.slice(1)))
        say(
          'This link holds no spec and names no experiment: choose one of the list, or ask for the link again.',
          'error',
        );
      return false;
    }
    if (linked && linked.title !== hash) delete state.texts[LINKED];
    if (!linked && state.link !== hash) delete state.texts[LINKED];
    state.link = hash;
    linked = { name: LINKED, title: hash, text: spec.text, ...(spec.files ? { files: spec.files } : {}) };
    offer();
    choose(LINKED);
    return true;
  }

  async function tryToOpen(hash: string): Promise<boolean> {
    try {
      return await open(hash);
    } catch (why) {
      say(why instanceof Error ? why.message : String(why), 'error');
      return false;
    }
  }

  select.addEventListener('change', () => {
    // The address would name another experiment than the one that is seen.
    if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
    choose(select.value);
  });
  addEventListener('hashchange', () => {
    if (location.hash !== '') void tryToOpen(location.hash);
  });

  return {
    async start() {
      list = await experiments();
      offer();
      if (await tryToOpen(location.hash)) return;
      const before = state.chosen !== undefined && originalOf(state.chosen) ? state.chosen : DEFAULT;
      choose(originalOf(before) ? before : (list[0]?.name ?? ''));
    },
    edited(text) {
      if (!chosen) return;
      if (text === chosen.text) delete state.texts[chosen.name];
      else state.texts[chosen.name] = text;
      remember();
    },
    sliding(paths) {
      if (!chosen) return;
      state.sliders[chosen.name] = paths;
      keep(state);
    },
    discard() {
      if (!chosen) return;
      delete state.texts[chosen.name];
      remember();
      callbacks.onChosen(chosen.text, state.sliders[chosen.name], chosen);
    },
    published(text) {
      return list.find((one) => one.text === text)?.hash;
    },
    rest() {
      const name = nameIn(callbacks.text()) || 'spec';
      return { file: `${name}.yaml`, ...(chosen === linked && linked?.files ? { files: linked.files } : {}) };
    },
    get list() {
      return list;
    },
  };
}
