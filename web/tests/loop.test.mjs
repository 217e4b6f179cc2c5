// SPDX-License-Identifier: Apache-2.0
// A loop by itself against the experiment pursuit, which is made of it, and against what is known of a loop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apart, BASIS, cfpc, LOOP, specOf, thrownBy } from './package.mjs';

const { datasets, measures } = cfpc.run(specOf('pursuit'));
const values = (name) => datasets[name].values;
const r = values('signals/r');
const FM_ET = { loop: LOOP, basis: BASIS, trace: { kind: 'forward-model' }, rateFraction: 0.5, trials: 50, r };

test('bases are those of the experiment, to the bit', () => {
  assert.equal(apart(cfpc.bases(BASIS, 1, 2500), values('traces/basis')), 0);
});

test('learn gives the learning curves of the experiment', () => {
  const traces = {
    'fm-et': { kind: 'forward-model' },
    wh: { kind: 'none' },
    'wh+50ms': { kind: 'delay', delayMs: 50 },
    'wh+70ms': { kind: 'delay', delayMs: 70 },
  };
  for (const [rule, trace] of Object.entries(traces)) {
    const { rrmse, weights } = cfpc.learn({ ...FM_ET, trace });
    const largest = Math.max(...values(`curves/${rule}`));
    const heaviest = Math.max(...values(`weights/${rule}`).map(Math.abs));
    assert.ok(apart(rrmse, values(`curves/${rule}`)) <= 1e-12 * largest, rule);
    assert.ok(apart(weights.slice(-20), values(`weights/${rule}`)) <= 1e-12 * heaviest, rule);
  }
});

test('the optimum is that of the experiment, and no trial is below it', () => {
  const { optimum, rrmse } = cfpc.learn(FM_ET);
  assert.ok(Math.abs(optimum - measures.find((it) => it.name === 'rrmse_optimum').value) < 1e-12);
  assert.ok(rrmse.every((it) => it >= optimum - 1e-12));
});

test('o, y and e of every trial fit together, and the last is that of the experiment', () => {
  const { rrmse, weights, o, y, e } = cfpc.learn(FM_ET);
  const n = r.length;
  const x = cfpc.bases(BASIS, 1, n);
  const of = (signal, k) => signal.slice(k * n, (k + 1) * n);
  const size = (signal) => Math.hypot(...signal);
  for (const k of [0, 1, 6, 49]) {
    const w = weights.slice(20 * k, 20 * (k + 1));
    const drive = r.map((it, i) => it + of(o, k)[i]);
    const xw = r.map((_, i) => w.reduce((sum, it, j) => sum + it * x[20 * i + j], 0));
    assert.ok(apart(of(o, k), xw) < 1e-12);
    assert.ok(apart(of(y, k), cfpc.simulate(LOOP, drive)) < 1e-12);
    assert.ok(
      apart(
        of(e, k),
        r.map((it, i) => it - of(y, k)[i]),
      ) < 1e-12,
    );
    assert.ok(Math.abs(size(of(e, k)) / size(of(e, 0)) - rrmse[k]) < 1e-12);
  }
  assert.ok(apart(of(y, 49), values('signals/y_last')) < 1e-12);
  assert.ok(apart(of(o, 49), values('signals/o_last')) < 1e-12);
});

test('simulate with the o of the experiment gives its y', () => {
  const drive = r.map((it, i) => it + values('signals/o_last')[i]);
  assert.ok(apart(cfpc.simulate(LOOP, drive), values('signals/y_last')) < 1e-12);
  assert.ok(apart(cfpc.simulate(LOOP, r), values('signals/y_first')) < 1e-12);
});

test('the margins are where the loop becomes unstable', () => {
  const { stable, largestPole, gainMargin, delayMarginMs, phaseMarginDeg } = cfpc.loop(LOOP);
  assert.ok(stable && largestPole < 1 && phaseMarginDeg > 0);
  const scaled = (factor) => cfpc.loop({ ...LOOP, kp: 20 * factor, kiPerS: 100 * factor }).stable;
  assert.equal(scaled(gainMargin * 0.999), true);
  assert.equal(scaled(gainMargin * 1.001), false);
  assert.equal(cfpc.loop({ ...LOOP, delayMs: 50 + Math.floor(delayMarginMs) }).stable, true);
  assert.equal(cfpc.loop({ ...LOOP, delayMs: 50 + Math.ceil(delayMarginMs) }).stable, false);
});

test('an unstable loop has a pole outside the unit circle and no margins, and is simulated', () => {
  const def = { ...LOOP, delayMs: 150 };
  const { stable, largestPole, ...margins } = cfpc.loop(def);
  assert.ok(!stable && largestPole > 1);
  assert.deepEqual(margins, { gainMargin: NaN, phaseMarginDeg: NaN, delayMarginMs: NaN });
  const y = cfpc.simulate(def, new Float64Array(20000).fill(1));
  const peak = (from, to) => Math.max(...y.slice(from, to).map(Math.abs));
  assert.ok(peak(15000, 20000) > 10 * peak(5000, 10000));
});

test('the lag behind a ramp is that of the experiment', () => {
  assert.ok(Math.abs(measures.find((it) => it.name === 'lag_ms').value - 89) < 5); // 89 ms: docs/theory.md
  const ramp = Float64Array.from({ length: 4000 }, (_, n) => n / 1000);
  const y = cfpc.simulate(LOOP, ramp);
  assert.ok(Math.abs(ramp[3999] - y[3999] - (y[3998] - y[3997]) * (3999 - y.findIndex((it) => it >= y[3999]))) < 1);
});

test('a loop without an integral is made too', () => {
  const facts = cfpc.loop({ ...LOOP, kiPerS: 0 });
  assert.equal(facts.stable, true);
  const y = cfpc.simulate({ ...LOOP, kiPerS: 0 }, new Float64Array(5000).fill(1));
  assert.ok(Math.abs(y[4999] - 2 / 3) < 1e-9); // kp 0.1 / (1 + kp 0.1)
});

test('what would take minutes is refused at once, with what to do', async () => {
  const lag = { kind: 'lag', timeConstantMs: 10 };
  const from = performance.now();
  const says = async (call) => (await thrownBy(call)).message;
  assert.match(
    await says(() => cfpc.loop({ ...LOOP, delayMs: 1e9 })),
    /^loop\.delayMs must be at most 50000 steps of 1 ms/,
  );
  assert.match(
    await says(() => cfpc.loop({ ...LOOP, stages: Array(100).fill(lag) })),
    /^loop\.stages .* 20 .* this has 100$/,
  );
  assert.match(await says(() => cfpc.bases(BASIS, 1, 1e9)), /^steps must be a whole number from 1 to 10000000/);
  assert.ok(performance.now() - from < 1000);
});
