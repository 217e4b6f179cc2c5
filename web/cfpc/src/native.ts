// SPDX-License-Identifier: Apache-2.0
// native: the WebAssembly module as web/native/ makes it. A pointer is a number of its memory.
import instantiate from '../../../build/web/cfpc-native.mjs';

export type Pointer = number;

/** What C calls while a call runs (web/native/tell.h). */
export interface Tell {
  /** 0: stop. */
  tick(what: Pointer, done: number, total: number): number;
  array(name: Pointer, unit: Pointer, values: Pointer, rank: number, rows: number, columns: number): void;
  measure(name: Pointer, unit: Pointer, value: number): void;
  claim(
    name: Pointer,
    says: Pointer,
    measure: Pointer,
    low: number,
    high: number,
    measured: number,
    applies: number,
    holds: number,
  ): void;
  rule(
    name: Pointer,
    rate: number,
    divergedAt: number,
    noOptimum: Pointer,
    taughtBy: Pointer,
    weights: Pointer,
    count: number,
  ): void;
  phase(name: Pointer, first: number, last: number): void;
}

/** Emscripten's file system in memory, as far as it is used here. */
export interface FileSystem {
  writeFile(path: string, text: string): void;
  unlink(path: string): void;
  mkdirTree(path: string): void;
  rmdir(path: string): void;
  chdir(path: string): void;
}

export interface Native {
  tell: Partial<Tell>;
  /** Another array after memory has grown: never keep it. */
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
  readonly HEAPF64: Float64Array;
  readonly FS: FileSystem;

  _malloc(bytes: number): Pointer;
  _free(memory: Pointer): void;

  _cfpc_tree_create(file: Pointer): Pointer;
  _cfpc_tree_free(tree: Pointer): void;
  _cfpc_tree_map(tree: Pointer, line: number, column: number): void;
  _cfpc_tree_list(tree: Pointer, line: number, column: number): void;
  _cfpc_tree_end(tree: Pointer): void;
  _cfpc_tree_key(tree: Pointer, text: Pointer, line: number, column: number): void;
  _cfpc_tree_scalar(tree: Pointer, text: Pointer, line: number, column: number): void;
  _cfpc_tree_read(tree: Pointer, text: Pointer, length: number): void;

  _cfpc_settings_create(): Pointer;
  _cfpc_settings_free(settings: Pointer): void;
  _web_settings_add(settings: Pointer, path: Pointer, value: Pointer): number;

  _web_experiment_make(
    tree: Pointer,
    settings: Pointer,
    rule: Pointer,
    trials: number,
    rate: number,
    online: number,
    repeat: number,
    seed: number,
  ): Pointer;
  _cfpc_experiment_free(experiment: Pointer): void;
  _cfpc_experiment_name(experiment: Pointer): Pointer;
  _cfpc_experiment_title(experiment: Pointer): Pointer;
  _cfpc_experiment_rule(experiment: Pointer, i: number): Pointer;
  _web_experiment_check(experiment: Pointer): Pointer;
  _web_experiment_text(experiment: Pointer): Pointer;
  _web_experiment_certificate(experiment: Pointer): Pointer;
  _web_experiment_run(experiment: Pointer): Pointer;
  _cfpc_text_free(text: Pointer): void;

  _cfpc_result_free(result: Pointer): void;
  _cfpc_result_repeats(result: Pointer): number;
  _cfpc_result_hash(result: Pointer): Pointer;
  _cfpc_result_attribute(result: Pointer, name: Pointer): Pointer;
  _web_result_check(result: Pointer): number;
  _web_result_tell(result: Pointer): void;

  _web_loop_make(
    stepMs: number,
    stages: number,
    kinds: Pointer,
    timeConstantsMs: Pointer,
    kp: number,
    kiPerS: number,
    delayMs: number,
  ): Pointer;
  _web_loop_free(loop: Pointer): void;
  _web_loop_facts(loop: Pointer, facts: Pointer): number;
  _web_loop_simulate(loop: Pointer, steps: number, drive: Pointer, y: Pointer): number;
  _web_bases(count: number, widthMs: number, spacingMs: number, stepMs: number, steps: number, x: Pointer): number;
  _web_learn(
    loop: Pointer,
    steps: number,
    bases: number,
    x: Pointer,
    r: Pointer,
    trace: number,
    traceDelayMs: number,
    rateFraction: number,
    trials: number,
    learned: Pointer,
  ): number;

  _web_version(): Pointer;
  _web_outcome(): number;
  _web_why_text(): Pointer;
  _web_why_file(): Pointer;
  _web_why_line(): number;
  _web_why_column(): number;
}

/** Starts a module of this WebAssembly. */
export async function start(wasm: WebAssembly.Module): Promise<Native> {
  let fail: (reason: unknown) => void;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const started = instantiate({
    noExitRuntime: true,
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      WebAssembly.instantiate(wasm, imports).then(done, fail);
      return {};
    },
  }) as Promise<Native>;
  return Promise.race([started, failed]);
}
