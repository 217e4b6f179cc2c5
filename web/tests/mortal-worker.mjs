// SPDX-License-Identifier: Apache-2.0
// mortal-worker: the package's worker, with two ways to die: a spec whose text is 'throw' or 'exit'.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ kind, args }) => {
  const text = kind === 'call' && args[0]?.text;
  if (text === 'exit') process.exit(3);
  if (text === 'throw') throw new RangeError('out of something');
});
await import('../cfpc/dist/worker.js');
