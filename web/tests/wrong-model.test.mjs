// SPDX-License-Identifier: Apache-2.0
// Chapter 5: what the certificate says before a run is what happens in it, over the range of the slider, and
// the guard keeps its word.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from '../cfpc/dist/cfpc.js';
import { bundled } from './bundled.mjs';

const chapter = await bundled('page/essay/chapter5_figures.ts');
const { wrongModelSpec } = await bundled('page/essay/specs.ts');
const cfpc = await load();
const html = await readFile(new URL('../page/index.html', import.meta.url), 'utf8');
const text = html
  .slice(html.indexOf('<!-- chapter 5 -->'), html.indexOf('<!-- end of chapter 5 -->'))
  .replaceAll('&nbsp;', ' ');

const DELAYS = [10, 20, 35, 50, 65, 75, 80, 85, 90];
const all = DELAYS.map((delayMs) => chapter.wrong(cfpc, delayMs, true));
const at = (delayMs) => all[DELAYS.indexOf(delayMs)];
const of = (verdict) => all.filter((one) => one.said.verdict === verdict);

test('all three verdicts occur on the slider', () => {
  for (const verdict of ['monotone', 'eventual', 'diverges']) assert.ok(of(verdict).length >= 2, verdict);
});

test('the predicted curve is the one that was run, at every position', () => {
  for (const { delayMs, said, free } of all) {
    const apart = said.curve.map((value, n) => Math.abs(value / free.curve[n] - 1));
    assert.ok(Math.max(...apart) < 1e-8, `${delayMs} ms: ${Math.max(...apart)}`);
  }
});

test('where the verdict is monotone no trial is worse than without a cell, and the run ends where predicted', () => {
  for (const { delayMs, said, free } of of('monotone')) {
    assert.ok(Math.max(...free.curve) < 1 + 1e-9, `${delayMs} ms`);
    assert.ok(
      Math.abs(free.curve.at(-1) / said.asymptote - 1) < 0.05,
      `${delayMs} ms: ${free.curve.at(-1)}, ${said.asymptote}`,
    );
  }
});

test('where the verdict is eventual the run comes to where it was predicted to end', () => {
  for (const { delayMs, said } of of('eventual')) {
    const long = cfpc.run(wrongModelSpec(delayMs), { trials: 1000 }).datasets['curves/free'].values;
    assert.ok(Math.abs(long.at(-1) / said.asymptote - 1) < 0.05, `${delayMs} ms: ${long.at(-1)}, ${said.asymptote}`);
  }
});

test('where the verdict is that it diverges the error is above that without a cell, and rises', () => {
  for (const { delayMs, free } of of('diverges')) {
    assert.ok(free.curve.at(-1) > 1 && free.curve.at(-1) > 2 * free.curve.at(-11), `${delayMs} ms`);
  }
});

test('with the guard one trial at most is above its limit, no four in a row are worse than without a cell, and the last is better', () => {
  for (const { delayMs, guarded } of all) {
    const { curve, guardedAt } = guarded;
    const worse = Array.from(curve, (value) => (value > 1.02 ? 1 : 0)).join('');
    assert.ok(curve.filter((value) => value > chapter.GUARD_FACTOR).length <= 1, `${delayMs} ms`);
    assert.ok(!worse.includes('1111'), `${delayMs} ms: ${worse}`);
    assert.ok(curve.at(-1) < 1, `${delayMs} ms`);
    if (guardedAt === 0) assert.ok(Math.max(...curve) < 1 + 1e-9, `${delayMs} ms: it did not act, and should have`);
  }
});

test('the guard acts wherever learning does harm, and nowhere where the verdict is monotone', () => {
  for (const { delayMs, said, free, guarded } of all) {
    if (said.verdict === 'monotone') {
      assert.equal(guarded.guardedAt, 0, `${delayMs} ms`);
      assert.ok(Math.abs(guarded.curve.at(-1) / free.curve.at(-1) - 1) < 1e-9, `${delayMs} ms: it is not slowed down`);
    }
    if (free.curve.at(-1) > 1) assert.ok(guarded.guardedAt > 0, `${delayMs} ms`);
  }
});

test('the numbers of the text are computed', () => {
  const { low, high } = at(50).said.delayMs;
  assert.match(text, new RegExp(`from ${low} to ${high} ms`));
  const verdictAt = (delayMs) => cfpc.certify(wrongModelSpec(delayMs, false)).learning.verdict;
  for (const delayMs of [low, high]) assert.equal(verdictAt(delayMs), 'monotone', `${delayMs} ms`);
  for (const delayMs of [low - 1, high + 1]) assert.notEqual(verdictAt(delayMs), 'monotone', `${delayMs} ms`);
  assert.equal(at(80).said.verdict, 'eventual');
  assert.match(text, new RegExp(`At 80 ms .* grows to ${Math.round(Math.max(...at(80).free.curve))} times`, 's'));
  assert.ok(cfpc.show(wrongModelSpec(80)).match(/factor: 1\.5\b/) && text.includes('more than 1.5 times'));
  assert.ok(cfpc.show(wrongModelSpec(80)).match(/tries: 3\b/) && text.includes('at most three times'));
  assert.ok(at(75).guarded.guardedAt > 0 && at(75).free.curve.at(-1) < 0.2, 'at 75 ms learning would have recovered');
  assert.ok(
    at(75).guarded.curve.at(-1) > 1.5 * at(75).free.curve.at(-1) && at(75).guarded.curve.at(-1) < 0.5,
    'at 75 ms it is slowed down',
  );
});

test('the figure marks where the guard acted, and the words name the trial', () => {
  const figure = chapter.runFigure(at(80));
  const { guardedAt } = at(80).guarded;
  assert.ok(guardedAt > 0 && figure.marks.some((mark) => mark.x === guardedAt));
  assert.match(chapter.ranWords(at(80)), new RegExp(`first acted in trial ${guardedAt},`));
});
