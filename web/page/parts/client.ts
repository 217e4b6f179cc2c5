// SPDX-License-Identifier: Apache-2.0
// client: the one worker that a page shares.
import { connect } from '../../cfpc/src/cfpc';
import type { Remote } from '../../cfpc/src/types';
import { say } from './say';

export { latest } from './latest';

let shared: Promise<Remote> | undefined;

async function start(): Promise<Remote> {
  try {
    return await connect({ onRestart: (says) => say(says, 'error') });
  } catch (why) {
    shared = undefined; // the next call tries again
    throw why;
  }
}

/** The same worker for every caller; it is started by the first. */
export function client(): Promise<Remote> {
  shared ??= start();
  return shared;
}
