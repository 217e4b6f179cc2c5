// SPDX-License-Identifier: Apache-2.0
// Chapter 4: its loops are those of the experiments pursuit and ringing, what it calls a match is what decides
// whether learning succeeds, and the numbers that its text names are those that cfpc.js computes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from '../cfpc/dist/cfpc.js';
import { bundled } from './bundled.mjs';

const chapter = await bundled('page/essay/chapter4_figures.ts');
const { traceSpec, scanSpec } = await bundled('page/essay/specs.ts');
const { outcomeOf, outcomeWords } = await bundled('page/essay/outcome.ts');
const cfpc = await load();
const experiment = async (name) => ({
  text: await readFile(new URL(`../../experiments/${name}.yaml`, import.meta.url), 'utf8'),
});
const html = await readFile(new URL('../page/index.html', import.meta.url), 'utf8');
const text = html
  .slice(html.indexOf('<!-- chapter 4 -->'), html.indexOf('<!-- end of chapter 4 -->'))
  .replaceAll('&nbsp;', ' ');

const curve = (loop, trace, delayMs = 0) => cfpc.run(traceSpec(loop, trace, delayMs)).datasets['curves/synapse'].values;
const ground = chapter.groundOf('eye', cfpc.run(scanSpec('eye')));

function traceAt(delayMs) {
  return chapter.learningOf('eye', 'delay', delayMs, cfpc.run(traceSpec('eye', 'delay', delayMs)));
}

function largestDifference(a, b) {
  assert.equal(a.length, b.length);
  return a.reduce((most, value, n) => Math.max(most, Math.abs(value - b[n])), 0);
}

test('the eye learns as in the experiment pursuit, with each of its traces', async () => {
  const { datasets } = cfpc.run(await experiment('pursuit'));
  assert.ok(largestDifference(curve('eye', 'forward-model'), datasets['curves/fm-et'].values) < 1e-12);
  assert.ok(largestDifference(curve('eye', 'delay', 50), datasets['curves/wh+50ms'].values) < 1e-12);
  assert.ok(largestDifference(curve('eye', 'delay', 0), datasets['curves/wh'].values) < 1e-12);
});

test('the arm is that of the experiment ringing', async () => {
  const loopOf = (spec, options) =>
    cfpc
      .show(spec, options)
      .split('\n')
      .filter((line) => /num:|den:|ki_per_s|delay_ms|moves:|trial_s|spacing_ms|width_ms|first_ms|step_ms/.test(line));
  const ringing = await experiment('ringing');
  const all = loopOf(ringing);
  const ours = loopOf(traceSpec('arm', 'forward-model', 0));
  assert.ok(ours.length >= 9, ours.join('\n'));
  for (const line of ours) assert.ok(all.includes(line), `ringing has no ${line}`);
});

test('the effect of a bump is what the loop makes of it', () => {
  const loop = {
    stepMs: 1,
    stages: [
      { kind: 'leaky-integrator', timeConstantMs: 100 },
      { kind: 'lag', timeConstantMs: 3 },
    ],
    kp: 20,
    kiPerS: 100,
    delayMs: 50,
  };
  const effect = ground.effects[ground.synapse];
  assert.ok(largestDifference(cfpc.simulate(loop, ground.basis), effect) < 1e-9 * Math.max(...effect));
});

test('a trace that matches its own bump best learns, one that matches another far better does harm', () => {
  let learned = 0;
  let harmed = 0;
  ground.delaysMs.forEach((delayMs, n) => {
    const { own, other } = chapter.matchOf(ground, traceAt(delayMs).shown);
    if (own > other + 0.15) {
      assert.ok(ground.scan[n] < 0.2, `${delayMs} ms leaves ${ground.scan[n]}`);
      learned++;
    }
    if (other > own + 0.37) {
      assert.ok(ground.scan[n] > 1, `${delayMs} ms leaves ${ground.scan[n]}`);
      harmed++;
    }
  });
  assert.ok(learned >= 7 && harmed >= 6, `${learned} and ${harmed} delays were decided`);
});

test('without a delay the trace matches the effect of the bump before it, far better than its own', () => {
  const match = chapter.matchOf(ground, traceAt(0).shown);
  assert.equal(match.otherSynapse, ground.synapse - 1);
  assert.ok(match.other > 0.85 && match.own < 0.55, JSON.stringify(match));
});

test('for the eye a whitened filter gains nothing, at other rates and filters too', () => {
  const of = (trace, settings, rate) => {
    const { text: whole } = traceSpec('eye', trace, 0);
    const changed = whole.replace(`trace: ${trace}}`, `trace: ${trace}${settings}}`);
    return cfpc.run({ text: changed }, { set: { 'learning.rate_fraction': rate } }).datasets['curves/synapse'].values;
  };
  for (const rate of [0.5, 1, 1.5]) {
    const model = of('forward-model', '', rate);
    for (const rho of [1e-4, 1e-2, 1]) {
      const whitened = of('whitened', `, whitening_rho: ${rho}`, rate);
      assert.ok(
        whitened[6] > model[6] && whitened.at(-1) > model.at(-1),
        `rate ${rate}, rho ${rho}: ${whitened[6]}, ${model[6]}`,
      );
    }
  }
});

test('what the text says of matched-delay is one of its claims', async () => {
  const { text: spec } = await experiment('matched-delay');
  assert.match(spec, /measure: population\.smooth-narrow\.delay\.worse\n\s+high: 0\.2\n/);
  assert.match(text, /matched-delay<\/em> it is as good, to within 5 %, on at least four fifths of the smooth loops/);
});

test('the numbers of the text are computed: the eye', () => {
  const best = Math.min(...ground.scan);
  assert.equal(ground.delaysMs[ground.scan.indexOf(best)], 80);
  assert.match(text, new RegExp(`leaves ${(100 * best).toPrecision(3)} % of the error`));
  assert.match(text, new RegExp(`the model ${(100 * ground.model.curve.at(-1)).toPrecision(3)} %`));
  const early = curve('eye', 'delay', 0);
  assert.ok(early[6] < 0.4 && early.at(-1) > 10, 'without a delay it falls, then grows far beyond 1');
  const [loopDelay, late] = [50, 200].map((ms) => curve('eye', 'delay', ms).at(-1));
  assert.ok(best < loopDelay && loopDelay < 0.06, '50 ms learns well, 80 ms better');
  assert.ok(late > 100, '200 ms fails');
  assert.ok(curve('eye', 'whitened')[6] > curve('eye', 'forward-model')[6], 'whitened gains nothing for the eye');
  assert.ok(curve('eye', 'whitened').at(-1) > curve('eye', 'forward-model').at(-1));
});

test('the numbers of the text are computed: the arm', () => {
  const percent = (value) => `${(100 * value).toPrecision(2)} %`;
  assert.match(
    text,
    new RegExp(
      `after 7 trials it leaves ${percent(curve('arm', 'whitened')[6])}, the model ${percent(curve('arm', 'forward-model')[6])}`,
    ),
  );
  const delay = curve('arm', 'delay', 500).at(-1);
  const long = cfpc.run(traceSpec('arm', 'delay', 500), { trials: 400 }).datasets['curves/synapse'].values;
  assert.ok(long.at(-1) > 3 * delay, `500 ms: its error comes back: ${long.at(-1)}`);
  const whitened = curve('arm', 'whitened').at(-1);
  assert.ok(delay > whitened && delay < 1.2 * whitened, `500 ms ends at ${delay}, whitened at ${whitened}`);
  const { learning } = cfpc.certify(traceSpec('arm', 'delay', 500));
  assert.equal(learning.rate_max, 0, 'no rate makes 500 ms converge');
});

test('a run whose numbers overflow is called diverged, in words and in the figure', () => {
  const result = cfpc.run(traceSpec('eye', 'delay', 200), { set: { 'learning.rate_fraction': 1e9 } });
  const { divergedAt } = outcomeOf(result, 'synapse');
  assert.ok(divergedAt > 0);
  assert.match(outcomeWords(outcomeOf(result, 'synapse')), new RegExp(`diverged: in trial ${divergedAt} `));
  const figure = chapter.curveFigure(ground, chapter.learningOf('eye', 'delay', 200, result));
  assert.ok(figure.marks.some((mark) => mark.x === divergedAt && mark.says === 'diverged'));
});
