// SPDX-License-Identifier: Apache-2.0
// web-result: runs a spec by the npm package and writes all numbers of its result, for tools/check-web.
//   node tools/web-result.mjs SPEC RESULT     RESULT.json names the datasets, RESULT.f64 has their values in turn
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { load } from '../web/cfpc/dist/cfpc.js';

const [path, out] = process.argv.slice(2);

const text = readFileSync(path, 'utf8');
const cfpc = await load();
const result = cfpc.run({ text, file: basename(path) }, { limits: null });

const numbers = Object.entries(result.datasets).map(([name, { unit, shape, values }]) => ({ name, unit, shape, values }));
writeFileSync(`${out}.f64`, Buffer.concat(numbers.map(({ values }) => Buffer.from(new Float64Array(values).buffer))));
writeFileSync(
  `${out}.json`,
  JSON.stringify({
    datasets: numbers.map(({ name, unit, shape, values }) => ({ name, unit, shape, length: values.length })),
    claims: result.claims.map(({ name, applies, holds }) => ({ name, applies, holds })),
    spec: result.spec,
    seconds: result.seconds,
  }),
);
