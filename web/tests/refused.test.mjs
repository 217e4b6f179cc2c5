// SPDX-License-Identifier: Apache-2.0
// Bad input: one sentence that says where, what, and what would be right; and the next call works.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { CfpcError } from '../cfpc/dist/cfpc.js';
import { BASIS, cfpc, LOOP, specOf, thrownBy } from './package.mjs';

const pursuit = specOf('pursuit');
const r = new Float64Array(200).fill(1);
const LEARN = { loop: LOOP, basis: { ...BASIS, count: 2 }, trace: { kind: 'none' }, rateFraction: 0.5, trials: 2, r };

async function refused(call, says) {
  const thrown = await thrownBy(call);
  assert.ok(thrown instanceof CfpcError && thrown instanceof Error, String(thrown));
  assert.equal(thrown.outcome, 'refused', thrown.message);
  assert.ok(!thrown.message.includes('\n'));
  assert.match(thrown.message, says);
  return thrown;
}

afterEach(() => assert.equal(cfpc.check(pursuit).name, 'pursuit'));

test('an error in a spec has its place, in characters', async () => {
  const { place } = await refused(
    () => cfpc.check({ text: pursuit.text.replace('kp: 20', 'kp: x') }),
    /^spec\.yaml:15:30: 'kp' must be a number; this is 'x'$/,
  );
  assert.deepEqual(place, { file: 'spec.yaml', line: 15, column: 30 });
  const line = '    - {kind: traces, title: "é😀", effect: maybe}';
  const text = pursuit.text.replace(/^ *- \{kind: traces.*$/m, line);
  const other = await refused(() => cfpc.check({ ...pursuit, text }), /maybe/);
  assert.equal(other.place.column, [...line].indexOf('m', line.length - 8) + 1);
});

test('a key that does not exist is refused with what is meant', async () => {
  const text = pursuit.text.replace('delay_ms: 50 # of', 'dealy_ms: 50 # of');
  const { place } = await refused(() => cfpc.run({ text }), /dealy_ms.*delay_ms/);
  assert.equal(place.file, 'spec.yaml');
});

test('what is no YAML is refused at its place', async () => {
  const { place } = await refused(() => cfpc.check({ text: 'name: x\nloop: [1, 2\n' }), /this bracket is not closed/);
  assert.deepEqual(place, { file: 'spec.yaml', line: 2, column: 7 });
});

test('texts that are no spec are refused', async () => {
  for (const text of ['', '\0', '- 1\n', 'a: *b\n', 'a: 1\n---\nb: 2\n', 'x'.repeat(2e6), `a: ${'['.repeat(1e5)}`])
    await refused(() => cfpc.check({ text }), /./);
});

test('an unstable loop is refused with a gain that would do', async () => {
  await refused(() => cfpc.run(pursuit, { set: { 'loop.delay_ms': 200 } }), /unstable/);
});

test('a spec that is none is refused', async () => {
  await refused(() => cfpc.check(pursuit.text), /^spec must be an object such as \{text/);
  await refused(() => cfpc.check(undefined), /^spec must be an object; this is undefined$/);
  await refused(() => cfpc.check({}), /spec\.text must be the YAML text/);
  await refused(() => cfpc.check({ text: 5 }), /spec\.text must be .* this is 5/);
  await refused(() => cfpc.check({ ...pursuit, file: '' }), /spec\.file is empty/);
  await refused(() => cfpc.check({ ...pursuit, name: 'x' }), /^there is no spec\.name; there are text, file, files$/);
  await refused(() => cfpc.check({ ...pursuit, files: { 'a.csv': 1 } }), /spec\.files\['a\.csv'\] must be a text/);
  await refused(() => cfpc.check({ ...pursuit, files: { '/dev/null': '' } }), /cannot be the name of a file/);
  await refused(() => cfpc.check({ ...pursuit, files: { a: '', 'a/b': '' } }), /cannot be the name of a file/);
  for (const name of ['../dev/null', 'a/../../dev//null', './../proc/self/fd', '', '.', '../../..', '/spec'])
    await refused(() => cfpc.check({ ...pursuit, files: { [name]: '' } }), /cannot be the name of a file/);
  // Folders are removed again, but not the one that specs are in.
  for (const name of ['../spec/a', '/spec/./a', '../../b/a', '__proto__', 'constructor'])
    assert.equal(cfpc.check({ ...pursuit, files: JSON.parse(`{"${name}": "x"}`) }).name, 'pursuit');
});

test('options of a wrong type or range are refused by name', async () => {
  const bad = {
    trials: [NaN, 0, -1, 2.5, '5', 2 ** 40],
    rate: [NaN, 0, -1, Infinity, '1'],
    repeat: [NaN, 0, 1.5],
    seed: [NaN, -1, 0.5],
    online: [1, 'yes', null],
    rule: [5, null],
    set: [5, null, [1]],
  };
  for (const [option, values] of Object.entries(bad))
    for (const value of values)
      await refused(() => cfpc.run(pursuit, { [option]: value }), new RegExp(`^options\\.${option} must be `));
  await refused(() => cfpc.run(pursuit, { trial: 5 }), /^there is no options\.trial; there are set, rule,/);
  await refused(() => cfpc.run(pursuit, { rule: 'none of these' }), /none of these/);
});

test('settings of a wrong type or path are refused by path', async () => {
  await refused(() => cfpc.run(pursuit, { set: { 'loop.delay_ms': NaN } }), /delay_ms/);
  await refused(() => cfpc.run(pursuit, { set: { 'loop.delay_ms': null } }), /loop\.delay_ms: .* this is null/);
  await refused(() => cfpc.run(pursuit, { set: { 'loop.delay_ms': () => 1 } }), /loop\.delay_ms: .* this is function/);
  await refused(() => cfpc.run(pursuit, { set: { 'loop.nothing': 1 } }), /nothing/);
  await refused(() => cfpc.run(pursuit, { set: { title: 'a\0b' } }), /NUL/);
  const ring = {};
  ring.ring = ring;
  await refused(() => cfpc.run(pursuit, { set: { loop: ring } }), /nested too deeply/);
});

test('a loop that cannot be is refused by name', async () => {
  const loop = (change) => () => cfpc.loop({ ...LOOP, ...change });
  await refused(loop({ stepMs: 0 }), /^loop\.stepMs must be a number above 0; this is 0$/);
  await refused(loop({ delayMs: 0.5 }), /^loop\.delayMs must be a whole number of steps of 1 ms; this is 0.5$/);
  await refused(loop({ delayMs: -1 }), /^loop\.delayMs must be/);
  await refused(loop({ kp: NaN }), /^loop\.kp must be a finite number; this is NaN$/);
  await refused(loop({ kiPerS: '1' }), /^loop\.kiPerS must be a finite number; this is '1'$/);
  await refused(loop({ stages: [] }), /^loop\.stages must be a list/);
  await refused(
    loop({ stages: [{ kind: 'spring', timeConstantMs: 1 }] }),
    /^loop\.stages\[0\]\.kind must be leaky-integrator or lag/,
  );
  await refused(loop({ stages: [{ kind: 'lag', timeConstantMs: 0 }] }), /^loop\.stages\[0\]\.timeConstantMs must be/);
  await refused(loop({ gain: 1 }), /^there is no loop\.gain; there are /);
});

test('signals, bases and learning that cannot be are refused by name', async () => {
  await refused(() => cfpc.simulate(LOOP, [1, 2]), /^drive must be a Float64Array; this is a list$/);
  await refused(() => cfpc.simulate(LOOP, new Float64Array(0)), /^drive has no values/);
  await refused(
    () => cfpc.simulate(LOOP, Float64Array.of(1, NaN)),
    /^drive\[1\] must be a finite number; this is NaN$/,
  );
  await refused(() => cfpc.bases({ ...BASIS, count: 0 }, 1, 10), /^basis\.count/);
  await refused(() => cfpc.bases({ ...BASIS, widthMs: 0 }, 1, 10), /^basis\.widthMs/);
  await refused(() => cfpc.bases(BASIS, NaN, 10), /^stepMs/);
  await refused(() => cfpc.bases(BASIS, 1, 0), /^steps/);
  await refused(() => cfpc.learn({ ...LEARN, trace: { kind: 'delay', delayMs: 0.3 } }), /^trace\.delayMs/);
  await refused(() => cfpc.learn({ ...LEARN, trace: { kind: 'other' } }), /^trace\.kind/);
  await refused(() => cfpc.learn({ ...LEARN, rateFraction: 0 }), /^rateFraction/);
  await refused(() => cfpc.learn({ ...LEARN, trials: 0 }), /^trials/);
  await refused(() => cfpc.learn({ ...LEARN, loop: { ...LOOP, delayMs: 150 } }), /^the closed loop is unstable$/);
});

test('what needs more than a gigabyte fails with a sentence, and the next call works', async () => {
  for (const call of [
    () => cfpc.bases({ ...BASIS, count: 1e6 }, 1, 1e7),
    () => cfpc.bases({ ...BASIS, count: 134 }, 1, 1e6),
    () => cfpc.learn({ ...LEARN, trials: 1e6 }),
  ]) {
    const thrown = await thrownBy(call);
    assert.deepEqual([thrown.outcome, thrown.message], ['failed', 'memory ran out']);
  }
});
