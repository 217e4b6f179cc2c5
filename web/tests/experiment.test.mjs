// SPDX-License-Identifier: Apache-2.0
// What the package says of an experiment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apart, cfpc, specOf, thrownBy } from './package.mjs';

const pursuit = specOf('pursuit');

test('pursuit: every claim of the paper holds', () => {
  const result = cfpc.run(pursuit);
  assert.equal(result.claims.length, 14);
  assert.deepEqual(
    result.claims.filter((it) => !it.applies || !it.holds),
    [],
  );
  assert.equal(result.ok, true);
  assert.equal(result.says, '');
  assert.ok(result.seconds > 0 && result.seconds < 60);
});

test('a result is complete, with shapes and units', () => {
  const result = cfpc.run(pursuit);
  const curve = result.datasets['curves/fm-et'];
  const table = result.datasets['traces/basis'];
  assert.deepEqual([curve.unit, curve.shape, curve.values.length], ['rRMSE', [50], 50]);
  assert.deepEqual(table.shape, [2500, 20]);
  assert.equal(table.values.length, 2500 * 20);
  assert.deepEqual(result.datasets['summary/lag_ms'].shape, []);
  assert.deepEqual(
    result.rules.map((it) => it.name),
    ['fm-et', 'wh', 'wh+50ms', 'wh+70ms'],
  );
  assert.ok(result.rules.every((it) => it.weights.length === 20 && it.divergedAt === 0 && it.taughtBy === 'error'));
  assert.equal(apart(result.rules[0].weights, result.datasets['weights/fm-et'].values), 0);
  assert.equal(result.measures.find((it) => it.name === 'lag_ms').unit, 'ms');
  assert.deepEqual([result.name, result.rule, result.repeats, result.version], ['pursuit', 'fm-et', 1, cfpc.version]);
  assert.ok(Object.values(result.datasets).every((it) => it.values instanceof Float64Array));
});

test('runs repeat bit for bit', () => {
  const [one, other] = [cfpc.run(specOf('posture')), cfpc.run(specOf('posture'))];
  assert.deepEqual(one.datasets, other.datasets);
  assert.match(one.hash, /^[0-9a-f]{16}$/);
  assert.equal(one.hash, other.hash);
  assert.notEqual(one.hash, cfpc.run(specOf('posture'), { rate: 1e-3 }).hash);
});

test('options and settings change what is run, and are noted', () => {
  const result = cfpc.run(pursuit, { set: { 'loop.delay_ms': 40, rules: [{ name: 'a', trace: 'none' }] }, trials: 5 });
  assert.deepEqual(
    result.rules.map((it) => it.name),
    ['a'],
  );
  assert.equal(result.datasets['curves/a'].values.length, 5);
  assert.match(result.settings, /loop\.delay_ms=40/);
  assert.match(cfpc.show(pursuit, { set: { 'loop.delay_ms': 12.5, step_ms: 0.5 } }), /delay_ms: 12\.5/);
  assert.equal(cfpc.run(pursuit, { rule: 'wh' }).rule, 'wh');
  assert.match(cfpc.show(pursuit, { online: true }), /mode: online/);
});

test('what show prints is the same experiment', () => {
  const text = cfpc.show(pursuit);
  assert.equal(cfpc.show({ text }), text);
  const [one, other] = [cfpc.run(pursuit), cfpc.run({ text })];
  assert.equal(apart(one.datasets['curves/fm-et'].values, other.datasets['curves/fm-et'].values), 0);
});

test('check says what cfpc check prints', () => {
  const checked = cfpc.check(pursuit);
  assert.equal(checked.name, 'pursuit');
  assert.match(checked.title, /Herreros/);
  assert.deepEqual(checked.rules, ['fm-et', 'wh', 'wh+50ms', 'wh+70ms']);
  assert.match(checked.text, /^pursuit: fine; 2500 steps, 20 bases, 4 rules/);
});

test('a rule that diverges is told with its trial, and the run is not ok', () => {
  const result = cfpc.run(pursuit, { rate: 100 });
  const diverged = result.rules.filter((it) => it.divergedAt > 0);
  assert.ok(diverged.length > 0);
  assert.equal(result.ok, false);
  assert.match(result.says, /diverge/);
});

test('phases are told with their trials', () => {
  const { phases } = cfpc.run(specOf('two-plants'));
  assert.ok(phases.length >= 2);
  for (let i = 1; i < phases.length; i++) assert.equal(phases[i].first, phases[i - 1].last + 1);
});

test('the certificate is that of cfpc analyse --json', () => {
  const ticks = [];
  const certificate = cfpc.certify(pursuit, {}, (what) => ticks.push(what));
  assert.deepEqual(Object.keys(certificate).slice(0, 4), ['name', 'version', 'rule', 'mode']);
  assert.equal(certificate.rule, 'fm-et');
  assert.equal(certificate.learning.verdict, 'monotone');
  assert.ok(ticks.length > 0);
  assert.notEqual(cfpc.certify(pursuit, { rule: 'wh' }).learning.verdict, 'monotone');
});

// ---- files ---------------------------------------------------------------------------------------

const MODEL = `version: 1
step_ms: 1
method: direct
dead_time_ms: 0
a: [[0.99]]
b: [0.001]
c: [1]
band: [[0, 0.1], [500, 0.1]]
`;

/** A small spec with a signal and a plant from files. */
function filed(folder) {
  const rows = Array.from({ length: 200 }, (_, n) => (n < 100 ? 0 : 0.5));
  const text = `name: filed
title: A loop from files
step_ms: 1
loop:
  plant: {kind: identified, file: ${folder}plant.yaml}
  controller: {kind: p, kp: 5}
  delay_ms: 10
task: {kind: csv, file: ${folder}r.csv, trial_s: 0.2}
basis: {kind: gaussian, count: 5, width_ms: 20, spacing_ms: 30}
learning: {mode: batch, trials: 3}
rules: [{name: a, trace: forward-model}]
`;
  return { text, files: { [`${folder}r.csv`]: `r\n${rows.join('\n')}\n`, [`${folder}plant.yaml`]: MODEL } };
}

const heard = (result) => result.datasets['signals/r'].values;

test('a spec reads the files that are given with it, in folders too', () => {
  for (const folder of ['', 'data/', '/elsewhere/data/']) {
    const r = heard(cfpc.run(filed(folder)));
    assert.deepEqual([r.length, r[50], r[150]], [200, 0, 0.5]);
  }
});

test('a spec in a folder finds its files beside itself, and so does a setting', () => {
  const spec = { ...filed('data/'), file: 'my/specs/a.yaml' };
  assert.equal(heard(cfpc.run(spec))[150], 0.5);
  const task = { kind: 'csv', file: 'data/r.csv', trial_s: 0.2, scale: 2 };
  assert.equal(heard(cfpc.run(spec, { set: { task } }))[150], 1);
});

test('files are gone after the call', async () => {
  const { text } = filed('');
  cfpc.run(filed(''));
  const thrown = await thrownBy(() => cfpc.run({ text }));
  assert.equal(thrown.outcome, 'refused');
  assert.match(thrown.message, /plant\.yaml: No such file/);
});

test('an error in a file is told with the place in that file', async () => {
  const spec = filed('');
  spec.files['plant.yaml'] = MODEL.replace('0.99', 'x');
  const thrown = await thrownBy(() => cfpc.run(spec));
  assert.match(thrown.message, /plant\.yaml:5:6: /);
});

// ---- progress ------------------------------------------------------------------------------------

test('a run tells how far it is', () => {
  const ticks = [];
  cfpc.run(pursuit, {}, (what, done, total) => ticks.push([what, done, total]));
  assert.ok(ticks.length > 4);
  assert.ok(ticks.every(([what, done, total]) => what && done >= 0 && done <= total));
});

test('what a tick throws stops the run and comes out of it', async () => {
  const mine = new Error('enough');
  let ticks = 0;
  assert.equal(
    await thrownBy(() =>
      cfpc.run(pursuit, {}, () => {
        ticks++;
        throw mine;
      }),
    ),
    mine,
  );
  assert.equal(ticks, 1);
  assert.equal(cfpc.run(pursuit).ok, true);
});
