// SPDX-License-Identifier: Apache-2.0
// experiment: check, show, run and certify a spec.
import { CfpcError, late, Passed } from './error';
import { withFiles } from './files';
import { givenOptions, givenSpec, text, type GivenOptions } from './given';
import { type Memory, textAt, withMemory } from './memory';
import type { Native, Pointer } from './native';
import { gather } from './result';
import { treeOfSpec, treeOfValue } from './tree';
import type { Certificate, Checked, Options, Result, Spec, Tick, Value } from './types';
import { demand, succeed } from './why';

/** All of them, for i from 0 until there is none. */
function textsOf(native: Native, at: (i: number) => Pointer): string[] {
  const texts: string[] = [];
  for (let pointer = at(0); pointer; pointer = at(texts.length)) texts.push(textAt(native, pointer));
  return texts;
}

function settingsOf(memory: Memory, set: GivenOptions['set']): Pointer {
  const { native } = memory;
  if (set.length === 0) return 0;
  const settings = memory.own(native._cfpc_settings_create(), native._cfpc_settings_free);
  for (const [path, value] of set) {
    const tree = treeOfValue(memory, path, value as Value);
    succeed(native, native._web_settings_add(settings, memory.text(text(path, 'a path of options.set')).at, tree));
  }
  return settings;
}

/** Makes the experiment and calls with it, while its files are there. */
function withExperiment<T>(
  native: Native,
  spec: Spec,
  options: Options | undefined,
  call: (experiment: Pointer, memory: Memory, given: GivenOptions) => T,
): T {
  const given = givenSpec(spec);
  const it = givenOptions(options);
  return withFiles(native.FS, given.file, given.files, () =>
    withMemory(native, (memory) => {
      const tree = treeOfSpec(memory, given.text, given.file);
      const settings = settingsOf(memory, it.set);
      const rule = it.rule === null ? 0 : memory.text(it.rule).at;
      const experiment = demand(
        native,
        native._web_experiment_make(tree, settings, rule, it.trials, it.rate, Number(it.online), it.repeat, it.seed),
      );
      return call(memory.own(experiment, native._cfpc_experiment_free), memory, it);
    }),
  );
}

/** A text of the lab, freed. */
function take(native: Native, pointer: Pointer): string {
  const it = textAt(native, demand(native, pointer));
  native._cfpc_text_free(pointer);
  return it;
}

/**
 * Calls while `tick` is called with how far it is. What it throws stops the call, and is thrown when that has ended; so does the
 * deadline, for which the clock is looked at here alone.
 */
function ticking<T>(native: Native, tick: Tick | undefined, deadlineMs: number, call: () => T): T {
  const thrown: (Passed | CfpcError)[] = [];
  const end = performance.now() + deadlineMs;
  native.tell.tick = (what, done, total) => {
    try {
      tick?.(textAt(native, what), done, total);
    } catch (it) {
      thrown.push(new Passed(it));
    }
    if (done < total && performance.now() > end) thrown.push(new CfpcError(late(deadlineMs, { done, total })));
    return thrown.length > 0 ? 0 : 1;
  };
  try {
    return call();
  } catch (it) {
    throw thrown[0] ?? it;
  }
}

// ---- the calls -----------------------------------------------------------------------------------

export function check(native: Native, spec: Spec, options?: Options): Checked {
  return withExperiment(native, spec, options, (experiment) => ({
    name: textAt(native, native._cfpc_experiment_name(experiment)),
    title: textAt(native, native._cfpc_experiment_title(experiment)),
    rules: textsOf(native, (i) => native._cfpc_experiment_rule(experiment, i)),
    text: take(native, native._web_experiment_check(experiment)),
  }));
}

export function show(native: Native, spec: Spec, options?: Options): string {
  return withExperiment(native, spec, options, (experiment) => take(native, native._web_experiment_text(experiment)));
}

export function run(native: Native, spec: Spec, options?: Options, tick?: Tick): Result {
  return withExperiment(native, spec, options, (experiment, memory, { deadlineMs }) => {
    const from = performance.now();
    const result = ticking(native, tick, deadlineMs, () => demand(native, native._web_experiment_run(experiment)));
    const seconds = (performance.now() - from) / 1e3;
    memory.own(result, native._cfpc_result_free);
    return { ...gather(memory, result), seconds };
  });
}

export function certify(native: Native, spec: Spec, options?: Options, tick?: Tick): Certificate {
  return withExperiment(
    native,
    spec,
    options,
    (experiment, _memory, { deadlineMs }) =>
      JSON.parse(
        ticking(native, tick, deadlineMs, () => take(native, native._web_experiment_certificate(experiment))),
      ) as Certificate,
  );
}
