// SPDX-License-Identifier: Apache-2.0
// mortal-worker: the package's worker, with two ways to die: a spec whose text is 'throw' or 'exit'.
import { parentPort } from 'node:worker_threads';

function die({ kind, args }) {
  const text = kind === 'call' && args[0]?.text;
  if (text === 'exit') process.exit(3);
  if (text === 'throw') throw new RangeError('out of something');
}

// Messages come as soon as anybody listens: dying must not be the first to listen, or the worker misses its start.
const on = parentPort.on.bind(parentPort);
parentPort.on = (name, listener) =>
  on(name, (message) => {
    die(message);
    listener(message);
  });
await import('../cfpc/dist/worker.js');
