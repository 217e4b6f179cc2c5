// SPDX-License-Identifier: Apache-2.0
// Calls give back all memory that they take, however they end.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startLocal } from '../cfpc/dist/local.js';
import { BASIS, DIST, LOOP, specOf } from './package.mjs';

const wasm = await WebAssembly.compile(readFileSync(new URL('cfpc-native.wasm', DIST)));
const pursuit = specOf('pursuit');
const r = Float64Array.from({ length: 500 }, (_, n) => Math.min(n / 250, 1));

const MAKERS = {
  _malloc: '_free',
  _cfpc_tree_create: '_cfpc_tree_free',
  _cfpc_settings_create: '_cfpc_settings_free',
  _web_experiment_make: '_cfpc_experiment_free',
  _web_experiment_run: '_cfpc_result_free',
  _web_experiment_text: '_cfpc_text_free',
  _web_experiment_check: '_cfpc_text_free',
  _web_experiment_certificate: '_cfpc_text_free',
  _web_loop_make: '_web_loop_free',
};

/** Everything that the module made for a caller and that was not freed. */
function watch(native) {
  const held = new Set();
  for (const maker of Object.keys(MAKERS)) {
    const make = native[maker];
    native[maker] = (...args) => {
      const made = make(...args);
      if (made) held.add(made);
      return made;
    };
  }
  for (const freer of new Set(Object.values(MAKERS))) {
    const free = native[freer];
    native[freer] = (pointer) => {
      if (!held.delete(pointer)) held.add(`freed, but not held: ${pointer}`);
      free(pointer);
    };
  }
  return held;
}

const CALLS = {
  run: (cfpc) => cfpc.run(pursuit, { trials: 3, set: { 'loop.delay_ms': 40, guard: 'on' }, rule: 'wh' }),
  check: (cfpc) => cfpc.check(pursuit),
  show: (cfpc) => cfpc.show(pursuit),
  certify: (cfpc) => cfpc.certify(pursuit),
  loop: (cfpc) => cfpc.loop(LOOP),
  simulate: (cfpc) => cfpc.simulate(LOOP, r),
  bases: (cfpc) => cfpc.bases(BASIS, 1, 500),
  learn: (cfpc) => cfpc.learn({ loop: LOOP, basis: BASIS, trace: { kind: 'none' }, rateFraction: 0.5, trials: 5, r }),
};

const BAD_CALLS = {
  'a bad spec': (cfpc) => cfpc.run({ text: pursuit.text.replace('kp: 20', 'kp: x') }),
  'no YAML': (cfpc) => cfpc.run({ text: 'a: [' }),
  'a bad setting': (cfpc) => cfpc.run(pursuit, { set: { 'loop.delay_ms': 1, 'loop.no': 2 } }),
  'a setting that is none': (cfpc) => cfpc.run(pursuit, { set: { 'loop.delay_ms': { a: [1, null] } } }),
  'an unstable loop': (cfpc) => cfpc.run(pursuit, { set: { 'loop.delay_ms': 200 } }),
  'a tick that throws': (cfpc) =>
    cfpc.run(pursuit, {}, () => {
      throw new Error('no');
    }),
  'a bad file': (cfpc) => cfpc.run({ ...pursuit, files: { a: '', 'a/b': '' } }),
  'a bad loop': (cfpc) => cfpc.simulate({ ...LOOP, stages: [{ kind: 'lag', timeConstantMs: -1 }] }, r),
  'learning on an unstable loop': (cfpc) =>
    cfpc.learn({
      loop: { ...LOOP, delayMs: 150 },
      basis: BASIS,
      trace: { kind: 'none' },
      rateFraction: 0.5,
      trials: 5,
      r,
    }),
  'too much memory': (cfpc) => cfpc.bases({ ...BASIS, count: 134 }, 1, 1e6),
};

test('every call frees what it made, also when it is refused', async () => {
  const cfpc = await startLocal(wasm);
  for (const call of Object.values(CALLS)) call(cfpc); // Emscripten replaces its functions when they are called first
  const held = watch(cfpc.native);
  for (const [name, call] of Object.entries(CALLS)) {
    call(cfpc);
    assert.deepEqual([...held], [], name);
  }
  for (const [name, call] of Object.entries(BAD_CALLS)) {
    assert.throws(() => call(cfpc), undefined, name);
    assert.deepEqual([...held], [], name);
  }
});

test('memory does not grow over 50 runs', async () => {
  const cfpc = await startLocal(wasm);
  for (let i = 0; i < 3; i++) CALLS.run(cfpc);
  const before = cfpc.native.HEAPU8.length;
  for (let i = 0; i < 50; i++) CALLS.run(cfpc);
  assert.equal(cfpc.native.HEAPU8.length, before);
});
