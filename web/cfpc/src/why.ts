// SPDX-License-Identifier: Apache-2.0
// why: how the last call of the module ended, thrown if it did not end well.
import { CfpcError } from './error';
import { textAt } from './memory';
import type { Native, Pointer } from './native';
import type { Why } from './types';

const DONE = 0;
const REFUSED = 2; // cfpc_outcome; 1 is failed

export function lastWhy(native: Native): Why {
  const outcome = native._web_outcome() === REFUSED ? 'refused' : 'failed';
  const message = textAt(native, native._web_why_text());
  const file = textAt(native, native._web_why_file());
  const line = native._web_why_line();
  const column = native._web_why_column();
  return file && line ? { outcome, message, place: { file, line, column } } : { outcome, message };
}

/** Throws unless a call was done. */
export function succeed(native: Native, outcome: number): void {
  if (outcome !== DONE) throw new CfpcError(lastWhy(native));
}

/** What a call made; throws if that is NULL. */
export function demand(native: Native, pointer: Pointer): Pointer {
  if (!pointer) throw new CfpcError(lastWhy(native));
  return pointer;
}
