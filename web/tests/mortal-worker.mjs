// SPDX-License-Identifier: Apache-2.0
// mortal-worker: the package's worker, with two ways to die: a spec whose text is 'throw' or 'exit'.
import { parentPort } from 'node:worker_threads';

function mayDie({ kind, args }) {
  const text = kind === 'call' && args[0]?.text;
  if (text === 'exit') process.exit(3);
  if (text === 'throw') throw new RangeError('out of something');
}

// Within the package's own listener: messages flow as soon as there is one, and another that came first would take the
// package's first message.
const on = parentPort.on.bind(parentPort);
parentPort.on = (event, hear) => on(event, (message) => {
  mayDie(message);
  hear(message);
});
await import('../cfpc/dist/worker.js');
