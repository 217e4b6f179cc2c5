// SPDX-License-Identifier: Apache-2.0
// cfpc: anticipation for feedback loops, in a browser and under Node. types.ts says what goes in and out.
import type { Cfpc, LoadOptions } from './types';
import { compile } from './wasm';

export * from './types';
export { CfpcError } from './error';
export { connect } from './remote';

/** Loads cfpc into this thread: who only connects does not load it. */
export async function load(options: LoadOptions = {}): Promise<Cfpc> {
  const [wasm, { startLocal }] = await Promise.all([compile(options.wasm), import('./local')]);
  return startLocal(wasm);
}
