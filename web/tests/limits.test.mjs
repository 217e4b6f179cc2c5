// SPDX-License-Identifier: Apache-2.0
// Runs that would take too long or too much memory are refused before they begin, with what would fit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LIMITS } from '../cfpc/dist/cfpc.js';
import { cfpc, specOf, thrownBy } from './package.mjs';

const pursuit = specOf('pursuit');

test('check predicts what a run needs, without running it', () => {
  const small = cfpc.check(pursuit).cost, large = cfpc.check(pursuit, { set: { 'basis.count': 200, 'basis.spacing_ms': 10 } }).cost;
  assert.ok(small.seconds > 0.001 && small.seconds < DEFAULT_LIMITS.seconds);
  assert.ok(small.bytes > 2500 * 20 * 8 && small.bytes < DEFAULT_LIMITS.bytes);
  assert.ok(large.seconds > 2 * small.seconds);
});

test('a run of hours is refused at once, with settings that would fit, and these do', async () => {
  const spec = specOf('pursuit-online'), set = { 'learning.trials': 1000000 }, from = performance.now();
  const refusal = async (options) => (await thrownBy(() => cfpc.run(spec, options))).message;
  const says = await refusal({ set });
  assert.ok(performance.now() - from < 20000);
  const [, hours, key, value] = /^this run would take about (\S+) hours .*; it fits with ([\w.]+): ([\d.e+]+) \(now/.exec(says);
  assert.ok(Number(hours) > 1);
  const then = await refusal({ set: { ...set, [key]: Number(value) }, limits: { seconds: 0.01, bytes: 1e9 } });
  const [, seconds] = /^this run would take about (\S+) s /.exec(then);
  assert.ok(Number(seconds) <= DEFAULT_LIMITS.seconds && Number(seconds) > DEFAULT_LIMITS.seconds / 4);
});

test('a whole Purkinje cell has less memory than the limit, but not much', () => {
  const { bytes } = cfpc.check(specOf('purkinje')).cost;
  assert.ok(bytes > 0.8 * DEFAULT_LIMITS.bytes && bytes < DEFAULT_LIMITS.bytes, String(bytes));
});

test('limits are those of the caller, and null is none', async () => {
  const { seconds, bytes } = cfpc.check(pursuit).cost;
  for (const limits of [{ seconds: seconds / 2, bytes }, { seconds, bytes: bytes / 2 }])
    assert.match((await thrownBy(() => cfpc.run(pursuit, { limits }))).message, /^this run would take/);
  assert.equal(cfpc.run(pursuit, { limits: { seconds: 10 * seconds, bytes: 2 * bytes } }).ok, true);
  assert.equal(cfpc.run(pursuit, { limits: null }).ok, true);
});

test('limits of a wrong type are refused by name', async () => {
  const says = async (limits) => (await thrownBy(() => cfpc.run(pursuit, { limits }))).message;
  assert.match(await says(5), /^options\.limits must be an object/);
  assert.match(await says({ seconds: NaN, bytes: 1 }), /^options\.limits\.seconds must be a number above 0; this is NaN/);
  assert.match(await says({ seconds: 1 }), /^options\.limits\.bytes must be/);
});
