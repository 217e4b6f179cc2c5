// SPDX-License-Identifier: Apache-2.0
// The essay's loop, target and measures are those of the experiment pursuit, and the numbers that its text
// names are those that cfpc.js computes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from '../cfpc/dist/cfpc.js';
import { bundled } from './bundled.mjs';

const pursuit = await bundled('page/essay/pursuit.ts');
const measures = await bundled('page/essay/measures.ts');
const cfpc = await load();
const text = await readFile(new URL('../../experiments/pursuit.yaml', import.meta.url), 'utf8');
const result = cfpc.run({ text }, { rule: 'fm-et' });

const signal = (name) => result.datasets[`signals/${name}`].values;
const measure = (name) => result.measures.find((one) => one.name === name).value;
const r = pursuit.target();

function largestDifference(a, b) {
  assert.equal(a.length, b.length);
  return a.reduce((most, value, n) => Math.max(most, Math.abs(value - b[n])), 0);
}

function lagAt(delayMs, gain) {
  return measures.lagMs(r, cfpc.simulate(pursuit.pursuitLoop(delayMs, gain), r), pursuit.STEP_MS);
}

test('the target is that of the experiment, bit for bit', () => {
  assert.deepEqual(r, signal('r'));
});

test("the loop without a cell gives the experiment's first trial", () => {
  const y = cfpc.simulate(pursuit.pursuitLoop(), r);
  assert.ok(largestDifference(y, signal('y_first')) < 1e-12);
});

test("lagMs is the experiment's lag_ms", () => {
  assert.ok(Math.abs(lagAt(50, 1) - measure('lag_ms')) < 1e-9);
});

test("leadMs is the experiment's lead_ms", () => {
  assert.equal(measures.leadMs(r, signal('o_last'), pursuit.STEP_MS), measure('lead_ms'));
});

test("learning gives the experiment's curve, weights and last o", () => {
  const learned = cfpc.learn(pursuit.pursuitLearn());
  const last = learned.weights.slice(-pursuit.BASIS.count);
  assert.ok(largestDifference(learned.rrmse, result.datasets['curves/fm-et'].values) < 1e-9);
  assert.ok(largestDifference(last, result.rules[0].weights) < 1e-9);
  assert.ok(largestDifference(learned.o.slice(-pursuit.STEPS), signal('o_last')) < 1e-9);
});

test('each bump peaks at the time that bumpTimes gives', () => {
  const { count } = pursuit.BASIS;
  const x = cfpc.bases(pursuit.BASIS, pursuit.STEP_MS, pursuit.STEPS);
  pursuit.bumpTimes().forEach((time, j) => {
    let peak = 0;
    for (let n = 0; n < pursuit.STEPS; n++) if (x[n * count + j] > x[peak * count + j]) peak = n;
    assert.ok(Math.abs(peak - (time * 1000) / pursuit.STEP_MS) <= 1, `bump ${j}: ${peak} and ${time}`);
  });
});

test('lagMs has no value where the eye never gets there, or the target never rests', () => {
  assert.ok(
    Number.isNaN(
      measures.lagMs(
        r,
        r.map((v) => 0.7 * v),
        1,
      ),
    ),
  );
  assert.ok(
    Number.isNaN(
      measures.lagMs(
        Float64Array.from({ length: 100 }, (_, n) => n),
        r,
        1,
      ),
    ),
  );
});

test('lagMs of a movement to the left is that of its mirror image', () => {
  const y = cfpc.simulate(pursuit.pursuitLoop(), r);
  const minus = (values) => values.map((v) => -v);
  assert.equal(measures.lagMs(minus(r), minus(y), 1), measures.lagMs(r, y, 1));
});

// ---- what the text says ------------------------------------------------------------------------

test('chapter 1: the eye lags by about 90 ms, and hardly less without the delay', () => {
  assert.ok(Math.abs(lagAt(50, 1) - 90) < 5);
  assert.ok(Math.abs(lagAt(0, 1) - lagAt(50, 1)) < 5);
});

test('chapter 1: without a delay, three times the gain cuts the lag to about a third', () => {
  assert.ok(Math.abs(lagAt(0, 3) / lagAt(0, 1) - 1 / 3) < 0.03);
});

test('chapter 1: the loop is unstable from the delays on that the text names, and stable below', async () => {
  const html = await readFile(new URL('../page/index.html', import.meta.url), 'utf8');
  const [, ...named] = /from (\d+)&nbsp;ms on with a gain of 1, from (\d+)&nbsp;ms on with a gain of 3/.exec(html);
  [1, 3].forEach((gain, i) => {
    for (let delayMs = 0; delayMs <= 120; delayMs++) {
      const { stable } = cfpc.loop(pursuit.pursuitLoop(delayMs, gain));
      assert.equal(stable, delayMs < Number(named[i]), `gain ${gain}, ${delayMs} ms`);
    }
  });
});

test("chapter 1: the delay margin of the paper's loop is what its delay lacks to instability", () => {
  const { delayMarginMs } = cfpc.loop(pursuit.pursuitLoop(50, 1));
  assert.equal(Math.floor(50 + delayMarginMs), 96);
});

test('chapter 2: the eye that learned is T(r + o), so o acts as if the dot had moved', () => {
  const { o, y } = cfpc.learn(pursuit.pursuitLearn());
  const driven = cfpc.simulate(pursuit.pursuitLoop(), measures.plus(r, o.slice(-pursuit.STEPS)));
  assert.ok(measures.maxAbs(o) > 0.1);
  assert.ok(largestDifference(driven, y.slice(-pursuit.STEPS)) < 1e-12);
});

test('chapter 2: the error sent ahead by about 80 ms removes more than four fifths of it', async () => {
  const { sentAhead } = await bundled('page/essay/shape.ts');
  const loop = pursuit.pursuitLoop();
  const e0 = measures.minus(r, cfpc.simulate(loop, r));
  const left = (ahead) => {
    const y = cfpc.simulate(loop, measures.plus(r, sentAhead(e0, ahead)));
    return measures.rrmse(measures.minus(r, y), e0);
  };
  assert.ok(left(80) < 0.2);
  const each = Array.from({ length: 31 }, (_, k) => ({ ahead: 5 * k, error: left(5 * k) }));
  const best = each.reduce((a, b) => (b.error < a.error ? b : a));
  assert.ok(Math.abs(best.ahead - 80) <= 10, `best at ${best.ahead} ms`);
});

test('chapter 3: after seven trials little is left to learn', () => {
  const { rrmse, optimum } = cfpc.learn(pursuit.pursuitLearn());
  assert.ok((rrmse[6] - optimum) / (rrmse[0] - optimum) < 0.02);
});

test('chapter 3: a weight goes up where the dot was to the right of the eye, and down where it was to the left', () => {
  const { weights } = cfpc.learn(pursuit.pursuitLearn(2));
  const after = weights.slice(-pursuit.BASIS.count);
  pursuit.bumpTimes().forEach((time, j) => {
    if (time > 0.55 && time < 0.95) assert.ok(after[j] > 0, `bump at ${time} s: ${after[j]}`);
    if (time > 1.55 && time < 1.95) assert.ok(after[j] < 0, `bump at ${time} s: ${after[j]}`);
  });
});

test('chapter 3: in the last trial the eye no longer lags', () => {
  const { y } = cfpc.learn(pursuit.pursuitLearn());
  assert.ok(Math.abs(measures.lagMs(r, y.slice(-pursuit.STEPS), pursuit.STEP_MS)) < 5);
});

test('chapter 3: what remains of the error is largest at the corners of the path, and after the last bump', () => {
  const e = cfpc.learn(pursuit.pursuitLearn()).e.slice(-pursuit.STEPS).map(Math.abs);
  const peaks = [...e.keys()].filter((n) => e[n] > (e[n - 1] ?? 0) && e[n] >= (e[n + 1] ?? 0));
  const largest = peaks
    .sort((a, b) => e[b] - e[a])
    .slice(0, 5)
    .sort((a, b) => a - b);
  const corners = pursuit.CORNERS.slice(1, -1).map(([time]) => (time * 1000) / pursuit.STEP_MS);
  for (const [i, corner] of corners.entries()) assert.ok(Math.abs(largest[i] - corner) <= 5, `peaks at ${largest}`);
  assert.ok(largest[4] > (pursuit.bumpTimes().at(-1) * 1000) / pursuit.STEP_MS, `peaks at ${largest}`);
});
