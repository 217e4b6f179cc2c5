// SPDX-License-Identifier: Apache-2.0
// A link gives back the spec that was put into it, and says so in one sentence when it cannot.
import assert from 'node:assert/strict';
import test from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { bundled } from './bundled.mjs';

const { hashOf, specOf } = await bundled('page/parts/link.ts');
const SPEC = { text: 'name: µ\n# ≥ 1 «comment»\n'.repeat(200), file: 'a b.yaml', files: { 'log.csv': '1,2\n' } };

test('packed and unpacked, a spec is the same, in the characters of an address', async () => {
  const hash = await hashOf(SPEC);
  assert.match(hash, /^#z:[\w-]+$/);
  assert.ok(hash.length < SPEC.text.length / 10, `${hash.length} characters`);
  assert.deepEqual(await specOf(hash), SPEC);
  assert.deepEqual(await specOf(await hashOf({ text: '' })), { text: '' });
});

test('a browser that cannot deflate writes a plain link, which every browser reads', async () => {
  const kept = globalThis.CompressionStream;
  globalThis.CompressionStream = undefined;
  const hash = await hashOf(SPEC).finally(() => (globalThis.CompressionStream = kept));
  assert.match(hash, /^#p:[\w-]+$/);
  assert.deepEqual(await specOf(hash), SPEC);
});

test('a hash without a spec is none', async () => {
  for (const hash of ['', '#', '#chapter-1', '#pursuit', '#zebra']) assert.equal(await specOf(hash), null);
});

test('a damaged link is refused with a sentence', async () => {
  const hash = await hashOf(SPEC);
  const packed = (value) => `#z:${deflateRawSync(JSON.stringify(value)).toString('base64url')}`;
  const bad = [
    hash.slice(0, -20),
    '#z:',
    '#z:????',
    '#p:!',
    `#p:${btoa('[1]')}`,
    packed(7),
    packed({ text: 1 }),
    packed({ text: 'a', files: { b: 2 } }),
    packed({ text: 'a', files: 'b' }),
  ];
  for (const each of bad) await assert.rejects(specOf(each), /^Error: The spec in this link is damaged: /, each);
});

test('a small link that unpacks to gigabytes is refused before it fills the memory', async () => {
  const bomb = deflateRawSync(Buffer.alloc(20_000_000, 32)).toString('base64url');
  await assert.rejects(specOf(`#z:${bomb}`), /too long: 4 MB is the maximum/);
});
