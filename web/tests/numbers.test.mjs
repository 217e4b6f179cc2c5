// SPDX-License-Identifier: Apache-2.0
// Numbers of a spec: their paths are those of settings, a number is replaced where it stands, and a range
// has the number in it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';
import { ROOT, corpusOf } from './corpus.mjs';

const { describe, numbersOf, rangeOf, withNumber } = await bundled('cfpc/src/numbers.ts');
const { Places, placeToOffset } = await bundled('cfpc/src/places.ts');

const PACKAGE = new URL('../cfpc/dist/cfpc.js', import.meta.url);
const SPECS = readdirSync(join(ROOT, 'experiments'))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name, text: readFileSync(join(ROOT, 'experiments', name), 'utf8') }));

const pathsOf = (text) => numbersOf(text).map(({ path, value }) => `${path}=${value}`);

// ---- paths -----------------------------------------------------------------------------------------

test('an entry of a list is named by its name or its number', () => {
  assert.deepEqual(pathsOf('a: [{name: x, b: 1}, {b: 2}, {b: 3, name: y}]'), ['a.x.b=1', 'a.1.b=2', 'a.y.b=3']);
  assert.deepEqual(pathsOf('a: [[0, 1], [2]]'), ['a.0.0=0', 'a.0.1=1', 'a.1.0=2']);
  assert.deepEqual(pathsOf('a: [{name: x, b: 1}, {name: x, b: 2}]'), ['a.x.b=1', 'a.1.b=2'], 'the first of a name');
  assert.deepEqual(pathsOf('a: [{b: 1}, {name: 0, b: 2}]'), ['a.0.b=1', 'a.1.b=2'], 'a name that is a number');
});

test('only numbers are listed, and no text that looks like one', () => {
  assert.deepEqual(pathsOf('a: 1\nb: on\nc: 1e3\nd: -.5\ne: 12:30\nf: 0x1f\ng: 1e999\ntitle: 5\nh: "7"'), [
    'a=1',
    'c=1000',
    'd=-0.5',
    'h=7',
  ]);
  assert.deepEqual(pathsOf('a: "\\x31"\nb: |\n  1'), [], 'not as it is written');
  assert.deepEqual(pathsOf('a: 1\nb: ['), [], 'no YAML');
  assert.deepEqual(pathsOf('set: {loop.delay_ms: 1}\nother.key: 2'), ['set.loop.delay_ms=1']);
});

test('offsets are those of the digits, also after letters of two units and at every line end', () => {
  for (const end of ['\n', '\r\n']) {
    const text = `\ufeff# 😀${end}a: {"😀": 1, b: 25}${end}c: '-3.5' # c${end}`;
    assert.deepEqual(
      numbersOf(text).map(({ from, to }) => text.slice(from, to)),
      ['1', '25', '-3.5'],
    );
  }
});

test('no two numbers of an experiment have the same path', () => {
  for (const { name, text } of SPECS) {
    const paths = numbersOf(text).map(({ path }) => path);
    assert.ok(paths.length > 20, name);
    assert.equal(new Set(paths).size, paths.length, name);
  }
});

test('a number that is replaced is the same as one that is set', {
  skip: !existsSync(PACKAGE) && 'the package is not built',
}, async () => {
  const { load } = await import(PACKAGE);
  const cfpc = await load();
  const shown = (call) => {
    try {
      return call().replace(/^[ -]*(# )?(applied|title|signal_names):.*\n/gm, ''); // a spec with settings has its own
    } catch ({ message }) {
      return message.replace(/^\S+: /, '').replace(/^setting .*?: /, '');
    }
  };
  let count = 0;
  for (const { name, text } of SPECS) {
    // Cases are expanded before settings are applied, and rules then have other names; what is set in a
    // list of a `set` becomes an entry of its own after that.
    const hasCases = /^cases:/m.test(text);
    const isOther = ({ path }) => /^cases\.|\bset\..*\.\d+$/.test(path) || (hasCases && path.startsWith('rules.'));
    for (const at of numbersOf(text).filter((at, index) => index % 16 === 3 && !isOther(at))) {
      const value = at.value * 2;
      const set = shown(() => cfpc.show({ text }, { set: { [at.path]: value } }));
      const replaced = shown(() => cfpc.show({ text: withNumber(text, at, value) }));
      assert.equal(set, replaced, `${name}: ${at.path}`);
      count++;
    }
  }
  assert.ok(count > 50);
});

// ---- replacing -------------------------------------------------------------------------------------

test('a number is replaced in place: comments and layout stay', () => {
  const text = 'loop: # the eye\n  delay_ms:   50   # of the error\n\n  kp: "20"\n';
  const [delay, gain] = numbersOf(text);
  assert.equal(withNumber(text, delay, 7.5), text.replace('50', '7.5'));
  assert.equal(withNumber(text, gain, -1), text.replace('"20"', '"-1"'));
  assert.equal(withNumber(text, delay, 0.1 + 0.2), text.replace('50', '0.3'));
  for (const { name, text: spec } of SPECS)
    for (const at of numbersOf(spec)) {
      const [one] = numbersOf(withNumber(spec, at, 12345)).filter(({ path }) => path === at.path);
      assert.deepEqual(one, { ...at, value: 12345, to: at.from + 5 }, `${name}: ${at.path}`);
      if (at.from > 3000) break; // each is read anew
    }
});

test('what cannot be written is refused', () => {
  const text = 'a: 1';
  const [at] = numbersOf(text);
  assert.throws(() => withNumber(text, at, NaN), /a must be a finite number; this is NaN/);
  assert.throws(() => withNumber('b: a', at, 2), /a is not at this place of the text/);
});

// ---- ranges ----------------------------------------------------------------------------------------

test('a range goes from a quarter to four times a number, on round ends', () => {
  assert.deepEqual(rangeOf({ path: 'loop.controller.kp', value: 20 }), { min: 5, max: 80, step: 1 });
  assert.deepEqual(rangeOf({ path: 'loop.controller.kp', value: 2 }), { min: 0.5, max: 8, step: 0.1 });
  assert.deepEqual(rangeOf({ path: 'a', value: 0.05 }), { min: 0.012, max: 0.2, step: 0.002 });
  assert.deepEqual(rangeOf({ path: 'a', value: -20 }), { min: -80, max: -5, step: 1 });
});

test('counts are whole, fractions end where they diverge, and zero can be left', () => {
  assert.deepEqual(rangeOf({ path: 'learning.trials', value: 1 }), { min: 1, max: 4, step: 1 });
  assert.deepEqual(rangeOf({ path: 'learning.rate_fraction', value: 0.5 }), { min: 0.02, max: 2, step: 0.02 });
  assert.deepEqual(rangeOf({ path: 'seed', value: 0 }), { min: 0, max: 10, step: 1 });
  assert.deepEqual(rangeOf({ path: 'delay_ms', value: 0 }), { min: 0, max: 100, step: 1 });
  assert.deepEqual(rangeOf({ path: 'task.points.0.1', value: 0 }), { min: 0, max: 1, step: 0.01 });
});

test('delays are whole steps of the simulation', () => {
  const numbers = numbersOf('step_ms: 4\nloop: {delay_ms: 20}\nteach: {delay_ms: 0}\ntask: {trial_s: 1}');
  for (const at of numbers.slice(1)) {
    const { min, step } = rangeOf(at, numbers);
    const ms = at.path.endsWith('_s') ? 1000 : 1;
    for (const size of [min, step]) assert.ok(Math.abs(((size * ms) / 4) % 1) < 1e-9, `${at.path}: ${size}`);
  }
});

test('every number of every experiment is a step of its own range', () => {
  for (const { name, text } of [...SPECS, { name: 'small', text: corpusOf().small }]) {
    const numbers = numbersOf(text);
    for (const at of numbers) {
      const { min, max, step } = rangeOf(at, numbers);
      const steps = (at.value - min) / step;
      const where = `${name}: ${at.path} = ${at.value} in ${min} to ${max} by ${step}`;
      assert.ok(step > 0 && min <= at.value && at.value <= max && min < max, where);
      assert.ok(Math.abs(steps - Math.round(steps)) < 1e-6, where);
      assert.ok(at.value <= 0 || min > 0, where);
    }
  }
});

test('a unit is that of the ending', () => {
  assert.deepEqual(describe('loop.delay_ms'), { label: 'delay', unit: 'ms' });
  assert.deepEqual(describe('task.trial_s'), { label: 'trial', unit: 's' });
  assert.deepEqual(describe('loop.controller.ki_per_s'), { label: 'ki', unit: '1/s' });
  assert.deepEqual(describe('basis.lowest_hz'), { label: 'lowest', unit: 'Hz' });
  assert.deepEqual(describe('zone.delay_ms.1'), { label: 'delay', unit: 'ms' });
  assert.deepEqual(describe('learning.trials'), { label: 'trials', unit: '' });
});

// ---- places ----------------------------------------------------------------------------------------

test('an offset and its place are found from each other', () => {
  const text = 'a: 😀b\r\nc\rd: τ\n\ne';
  const places = new Places(text);
  for (const offset of [0, 3, 5, 8, 10, 13, 15, 16]) assert.equal(places.offset(places.at(offset)), offset);
  assert.deepEqual(places.at(5), { line: 1, column: 5 });
  assert.equal(placeToOffset(text, 1, 99), 6, 'the end of the line');
  assert.equal(placeToOffset(text, 99, 1), text.length - 1, 'the last line');
  assert.equal(placeToOffset(text, 0, 0), 0);
});
