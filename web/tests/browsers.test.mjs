// SPDX-License-Identifier: Apache-2.0
// What the package calls is in the oldest browsers that docs/web.md names: the bundler lowers syntax, not calls.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';

const DIST = new URL('../cfpc/dist/', import.meta.url);
/** Came after Chrome 88, Firefox 89 or Safari 15. */
const LATER =
  /\.at\(-\d|\bstructuredClone\(|\bObject\.(hasOwn|groupBy)\(|\.(findLast|findLastIndex|toSorted|toReversed|toSpliced)\(|\bArray\.fromAsync\(/;

test('the package calls nothing that browsers of 2021 lack', async () => {
  const scripts = (await readdir(DIST)).filter((name) => name.endsWith('.js'));
  assert.ok(scripts.includes('worker.js') && scripts.includes('cfpc.js'));
  for (const name of scripts)
    assert.equal(LATER.exec(await readFile(new URL(name, DIST), 'utf8'))?.[0], undefined, name);
});
