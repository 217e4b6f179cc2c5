// SPDX-License-Identifier: Apache-2.0
// A whole experiment by cfpc.js in Node, as bench/whole.c runs it natively. Prints one line of JSON: the seconds of each
// repeat, and the last value of the first curve.
//   node web/bench/pursuit.mjs SPEC REPEATS
import { readFileSync } from 'node:fs';
import { load } from '../cfpc/dist/cfpc.js';

const [file, repeats] = [process.argv[2], Number(process.argv[3])];
const text = readFileSync(file, 'utf8');
const cfpc = await load();
const seconds = [];
let last = 0;
for (let k = 0; k < repeats; k++) {
  const start = performance.now();
  const { datasets } = cfpc.run({ text, file });
  seconds.push((performance.now() - start) / 1000);
  const [, curve] = Object.entries(datasets).find(([name]) => name.startsWith('curves/') && name !== 'curves/trial');
  last = curve.values[curve.values.length - 1];
}
console.log(JSON.stringify({ seconds, last }));
