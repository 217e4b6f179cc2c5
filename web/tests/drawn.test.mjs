// SPDX-License-Identifier: Apache-2.0
// What a reader draws, what is cut from a figure, and what the essay says of a loop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { O_LIMIT, movePoint, sentAhead, stroke } = await bundled('page/essay/shape.ts');
const { clip } = await bundled('page/essay/clip.ts');
const { growthPerSecond, followFigure, lagOf, verdict } = await bundled('page/essay/chapter1_figures.ts');
const { driveWords } = await bundled('page/essay/chapter2_figures.ts');
const { lateness } = await bundled('page/essay/lateness.ts');
const { target } = await bundled('page/essay/pursuit.ts');

const zeros = (length) => new Float64Array(length);
const plain = (text) => text.replaceAll('\u00a0', ' ');

test('a stroke is a straight line, the same in both directions, and changes nothing else', () => {
  const there = stroke(zeros(12), { n: 2, value: 0.1 }, { n: 6, value: 0.3 });
  const back = stroke(zeros(12), { n: 6, value: 0.3 }, { n: 2, value: 0.1 });
  const line = [0, 0, 0.1, 0.15, 0.2, 0.25, 0.3, 0, 0, 0, 0, 0];
  for (const [n, value] of there.entries()) assert.ok(Math.abs(value - line[n]) < 1e-15, `step ${n}`);
  assert.deepEqual(back, there);
});

test('a stroke keeps within the trial and the limit', () => {
  const drawn = stroke(zeros(5), { n: -3, value: 9 }, { n: 20, value: 9 });
  assert.deepEqual([...drawn], [O_LIMIT, O_LIMIT, O_LIMIT, O_LIMIT, O_LIMIT]);
});

test('strokes through fractional places leave no step out', () => {
  let drawn = zeros(20);
  for (let n = 0.4; n < 18; n += 1.7) drawn = stroke(drawn, { n, value: 0.2 }, { n: n + 1.7, value: 0.2 });
  assert.ok([...drawn.slice(1, 18)].every((value) => value === 0.2));
});

test('a moved point takes its value, and its neighbours keep theirs', () => {
  const moved = movePoint(
    Float64Array.from({ length: 9 }, () => 0.1),
    4,
    2,
    0.3,
  );
  const line = [0.1, 0.1, 0.1, 0.2, 0.3, 0.2, 0.1, 0.1, 0.1];
  for (const [n, value] of line.entries()) assert.ok(Math.abs(moved[n] - value) < 1e-15);
  assert.equal(movePoint(zeros(9), 4, 2, 5)[4], O_LIMIT);
});

test('a signal that is sent ahead comes so many steps earlier, and ends with zeros', () => {
  assert.deepEqual([...sentAhead(Float64Array.of(1, 2, 3, 4), 2)], [3, 4, 0, 0]);
});

test('a curve ends where it leaves its figure, for good, and also where it is not a number', () => {
  const { values, leftAt } = clip(Float64Array.of(0, 1, 3, 1), -2, 2);
  assert.deepEqual([...values], [0, 1, NaN, NaN]);
  assert.equal(leftAt, 2);
  assert.equal(clip(Float64Array.of(0, NaN), -2, 2).leftAt, 1);
  assert.equal(clip(Float64Array.of(0, 2), -2, 2).leftAt, -1);
});

const stable = { stable: true, largestPole: 0.99, gainMargin: 1.5, phaseMarginDeg: 40, delayMarginMs: 30 };
const unstable = { ...stable, stable: false, largestPole: 2 ** (1 / 1000) };
const following = (facts, y) => ({ delayMs: 50, gain: 1, facts, r: target(), y });

test('an unstable loop is called so, has no lag, and its curve ends where it leaves the figure', () => {
  const at = following(
    unstable,
    target().map((_, n) => (n < 700 ? 0 : 2)),
  );
  assert.match(verdict(at), /unstable.* 2 times as large each second/);
  assert.ok(Math.abs(growthPerSecond(unstable) - 2) < 1e-9);
  assert.ok(Number.isNaN(lagOf(at)));
  const figure = followFigure(at);
  assert.match(figure.title, /^Unstable/);
  assert.match(plain(figure.says), /leaves the figure after 0.7 s/);
  assert.ok(Number.isNaN(figure.series[1].values[700]));
});

test('a stable loop is said to have its margins, and a lag as late as the eye is', () => {
  const r = target();
  const at = following(
    stable,
    r.map((_, n) => r[Math.max(0, n - 90)]),
  );
  assert.ok(Math.abs(lagOf(at) - 90) < 1e-9);
  assert.match(
    plain(verdict(at)),
    /lags the dot by 90 ms\. The loop is stable: .*1\.5 times as high, or its delay 30 ms longer/,
  );
});

test('an o that makes the error larger is said to do so', () => {
  const r = target();
  const o = r.map(() => 0.1);
  const reactive = r.map((value) => value - 0.1);
  const eye = (error) => ({ r, o, reactive, y: r.map((value) => value - error) });
  assert.match(driveWords(eye(0.05)), /50 %.*rRMSE 0\.5\)\.$/);
  assert.match(driveWords(eye(0.2)), /200 %.*worse than none\.$/);
});

test('a lag in words: late, early, neither, never', () => {
  assert.deepEqual(
    [91.7, -3.2, 0.3, NaN].map((lag) => plain(lateness(lag))),
    ['92 ms after the dot', '3 ms before the dot', 'with the dot', 'never'],
  );
});
