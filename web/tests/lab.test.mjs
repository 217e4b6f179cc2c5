// SPDX-License-Identifier: Apache-2.0
// The lab page's figures, claims, comparison, files and certificate, on results of the package itself.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bundled } from './bundled.mjs';
import { cfpc, specOf } from './package.mjs';

const { figuresOf } = await bundled('page/lab/figures_of.ts');
const { countOf, rangeOf, verdictOf } = await bundled('page/lab/claims.ts');
const { differences, overlay, resampled, change } = await bundled('page/lab/compare.ts');
const { curvesCsv, measuresCsv } = await bundled('page/lab/downloads.ts');
const { explain, predictedCurve, toleranceRows } = await bundled('page/lab/certificate.ts');
const { exitSentence } = await bundled('page/lab/results.ts');
const { matching } = await bundled('page/lab/measures.ts');
const { spanOf } = await bundled('page/lab/place.ts');
const { whyOf } = await bundled('page/lab/runner.ts');

const pursuit = cfpc.run(specOf('pursuit'));
const figure = (figures, id) => figures.find((one) => one.id === id);
const series = (of, name) => of.series.find((one) => one.name === name);

/** What every figure must be, whatever it shows. */
function assertSound(figures) {
  assert.equal(new Set(figures.map((one) => one.id)).size, figures.length, 'ids are unique');
  for (const one of figures) {
    for (const of of one.series) assert.equal(of.values.length, one.xs.length, `${one.id}: ${of.name}`);
    for (let i = 1; i < one.xs.length; i++) assert.ok(one.xs[i] >= one.xs[i - 1], `${one.id}: x ascends`);
    assert.ok(
      one.series.some((of) => Array.from(of.values).some(Number.isFinite)),
      `${one.id} shows something`,
    );
    assert.match(one.says, /\d.*\.$/s, `${one.id} says numbers in a sentence`);
    assert.doesNotMatch(`${one.title} ${one.says}`, /undefined|NaN/, one.id);
  }
}

test('pursuit: its figures hold the datasets of the result, under the titles of its story', () => {
  const figures = figuresOf(pursuit);
  assertSound(figures);
  assert.deepEqual(
    figures.map((one) => one.id),
    ['behaviour', 'errors', 'curves', 'traces', 'delays', 'command', 'response'],
    'the story first',
  );
  const behaviour = figure(figures, 'behaviour');
  assert.equal(behaviour.title, 'After practice the eye moves with its target');
  assert.equal(series(behaviour, 'y, trial 50').values, pursuit.datasets['signals/y_last'].values);
  const curves = figure(figures, 'curves');
  assert.deepEqual(
    curves.series.map((one) => one.name),
    ['fm-et', 'wh', 'wh+50ms', 'wh+70ms', 'optimum'],
  );
  assert.equal(series(curves, 'wh').values[49], pursuit.datasets['curves/wh'].values[49]);
  assert.ok(curves.y.log);
  assert.match(curves.says, /after 50 trials: fm-et 0\.0455, wh 42\.6, .*the optimum is 0\.0455/);
  assert.match(figure(figures, 'delays').says, /best delay is 85 ms/);
});

test('the trace of a forward model peaks with the effect; without a trace it peaks before', () => {
  assert.match(figure(figuresOf(pursuit), 'traces').says, /peaks together with the effect/);
  const wh = figure(figuresOf(cfpc.run(specOf('pursuit'), { rule: 'wh', trials: 2 })), 'traces');
  const ms = Number(/peaks ([\d.]+) ms before the effect/.exec(wh.says)[1]);
  assert.ok(ms > 60 && ms < 110, `${ms} ms: the loop's lag`);
});

test('a rule that diverged is named with its trial on the figure, in words and in the summary', () => {
  const result = cfpc.run(specOf('pursuit'), { rate: 1, trials: 400, rule: 'wh', set: { delay_scan: {} } });
  const wh = result.rules.find((rule) => rule.name === 'wh');
  assert.ok(wh.divergedAt > 1, 'this rate makes it diverge');
  const figures = figuresOf(result);
  assertSound(figures);
  const curves = figure(figures, 'curves');
  assert.ok(curves.marks.some((mark) => mark.x === wh.divergedAt && mark.says === 'wh diverged'));
  assert.ok(series(curves, `wh (diverged in trial ${wh.divergedAt})`));
  assert.match(curves.says, new RegExp(`Rule wh diverged in trial ${wh.divergedAt}`));
  assert.equal(curves.y.max, 1000, 'what grows without limit does not flatten the rest');
  assert.match(figure(figures, 'behaviour').says, /has no signals/);
  assert.match(exitSentence(result), /would exit with 1: rule .* diverged/);
});

test('phases and responses are drawn where a result has them, with a line at the start of each phase', () => {
  const posture = cfpc.run(specOf('posture'));
  const figures = figuresOf(posture);
  assertSound(figures);
  assert.match(figure(figures, 'curves').says, new RegExp(`${posture.phases[0].name} 1 to ${posture.phases[0].last}`));
  for (const phase of posture.phases) {
    const shown = figure(figures, `phase-${phase.name}`);
    assert.ok(shown, phase.name);
    assert.match(shown.says, new RegExp(`last trial \\(${phase.last}\\) of phase ${phase.name}`));
  }
  assert.equal(
    figure(figures, 'curves').marks.filter((mark) => mark.x !== undefined).length,
    posture.phases.length - 1,
  );
  assert.ok(figure(figures, 'responses-amplitude'));
});

test('a zone has one point per cell, in the order of its delay', () => {
  const set = {
    'zone.cells': 6,
    'zone.trials': 3,
    'zone.other_cells': [2],
    'zone.other_synapses': [20],
    'basis.count': 50,
  };
  const { text, file } = specOf('microzone');
  const zone = cfpc.run({ text: text.slice(0, text.indexOf('\nclaims:')), file }, { set, trials: 2 });
  const figures = figuresOf(zone);
  assertSound(figures);
  const shown = figure(figures, 'zone-delay');
  assert.equal(shown.xs.length, 6);
  const order = Array.from(zone.datasets['zone/delay'].values.keys()).sort(
    (a, b) => zone.datasets['zone/delay'].values[a] - zone.datasets['zone/delay'].values[b],
  );
  assert.deepEqual(
    series(shown, 'own').values,
    order.map((cell) => zone.datasets['zone/last/own'].values[cell]),
  );
});

test('claims have a verdict in words, and a range', () => {
  assert.equal(countOf(pursuit.claims), '14 of 14 claims hold.');
  const lag = pursuit.claims.find((claim) => claim.name === 'lag');
  assert.equal(rangeOf(lag), '85 to 115');
  assert.equal(rangeOf({ ...lag, low: NaN }), 'at most 115');
  const slow = cfpc.run(specOf('pursuit'), { set: { 'loop.delay_ms': 20, delay_scan: {} }, trials: 10 });
  const verdicts = new Set(slow.claims.map(verdictOf));
  assert.ok(verdicts.has('fails') && verdicts.has('holds'));
  assert.match(countOf(slow.claims), /\d+ of 14 claims hold; \d+ fails?/);
  assert.equal(verdictOf({ ...lag, applies: false }), 'does not apply');
});

test('a kept run is drawn behind the next where they differ, and only there', () => {
  const other = cfpc.run(specOf('pursuit'), { set: { 'loop.delay_ms': 60 }, trials: 30 });
  const both = overlay(figuresOf(other), figuresOf(pursuit));
  const curves = figure(both, 'curves');
  assert.equal(curves.xs.length, 50, 'as many trials as the longer run');
  const before = series(curves, 'fm-et, kept run');
  assert.equal(before.role, 'before');
  assert.deepEqual(Array.from(before.values), Array.from(pursuit.datasets['curves/fm-et'].values));
  const now = series(curves, 'fm-et').values;
  assert.equal(now[29], other.datasets['curves/fm-et'].values[29]);
  assert.ok(Number.isNaN(now[30]), 'the shorter run ends');
  assert.ok(!series(figure(both, 'behaviour'), 'r, the reference, kept run'), 'the reference is the same');
  assert.deepEqual(overlay(figuresOf(pursuit), figuresOf(pursuit)), figuresOf(pursuit));
});

test('resampling is exact at the points and linear between them', () => {
  assert.deepEqual([...resampled([0, 1, 3], [0, 2, 6], [-1, 0, 0.5, 1, 2, 3, 4])], [NaN, 0, 1, 2, 4, 6, NaN]);
});

test('measures that differ are listed, the largest change first', () => {
  const one = (name, value) => ({ name, unit: '1', value });
  const found = differences(
    [one('a', 1), one('b', 4), one('c', 1), one('e', NaN)],
    [one('a', 1), one('b', 2), one('d', 1), one('e', NaN)],
  );
  assert.deepEqual(
    found.map((it) => it.name),
    ['d', 'c', 'b'],
  );
  assert.equal(change(found[2]), '+100 %');
  assert.equal(change(found[0]), '');
});

test('files hold every measure and every curve, to the last bit', () => {
  const rows = measuresCsv(pursuit).trimEnd().split('\n').slice(1);
  assert.equal(rows.length, pursuit.measures.length);
  const lag = pursuit.measures.find((one) => one.name === 'lag_ms');
  assert.ok(rows.some((row) => row.startsWith('lag_ms,') && Number(row.split(',')[1]) === lag.value));
  const curves = curvesCsv(pursuit)
    .trimEnd()
    .split('\n')
    .map((row) => row.split(','));
  assert.equal(curves.length, 51);
  const column = curves[0].indexOf('wh+70ms');
  assert.equal(Number(curves[50][column]), pursuit.datasets['curves/wh+70ms'].values[49]);
});

test('measures are found by all words of a search', () => {
  const found = matching(pursuit.measures, 'WH+50 last');
  assert.ok(found.length > 0 && found.every((one) => one.name.includes('wh+50') && one.name.includes('last')));
});

test('a certificate is explained: monotone for the forward model, eventual and worse than no cell for Widrow-Hoff', () => {
  const good = cfpc.certify(specOf('pursuit'));
  assert.equal(explain(good).verdict, 'monotone');
  assert.match(
    explain(good).sentences.join(' '),
    /Monotone: every trial.*The error ends at 0\.0454\d? of the reactive error/s,
  );
  assert.ok(toleranceRows(good).some(([name]) => name === 'loop.delay_ms'));
  const bad = cfpc.certify(specOf('pursuit'), { rule: 'wh' });
  assert.match(explain(bad).sentences.join(' '), /Eventual: .*worse than the loop without the cell/s);
  const [curve] = predictedCurve(bad);
  const ran = pursuit.datasets['curves/wh'].values;
  assert.ok(Math.abs(curve.series[0].values[49] / ran[49] - 1) < 1e-6, 'the prediction is the run');
  assert.match(
    explain(cfpc.certify(specOf('blink'))).sentences[0],
    /^Not applicable: nothing is certified for this experiment \(.+\)\.$/,
  );
});

test('a message underlines the word at its place, counted in characters', () => {
  const text = 'name: a\nbasis: {kind: 𝛑gauss, count: x}\n';
  const word = (line, column) => {
    const { from, to } = spanOf(text, { line, column });
    return text.slice(from, to);
  };
  assert.equal(word(2, 15), '𝛑gauss');
  assert.equal(word(2, 30), 'x');
  assert.equal(word(1, 8), '', 'after the last character');
  assert.equal(word(9, 1), '', 'after the last line');
});

test('the validator underlines what it refuses in a spec of the list', () => {
  const spec = specOf('pursuit');
  const text = spec.text.replace('delay_ms: 50', 'delay_ms: fast');
  try {
    cfpc.check({ ...spec, text });
    assert.fail('it is refused');
  } catch (thrown) {
    assert.ok(thrown.place, whyOf(thrown).message);
    const { from, to } = spanOf(text, thrown.place);
    assert.equal(text.slice(from, to), 'fast');
  }
});
