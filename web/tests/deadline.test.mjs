// SPDX-License-Identifier: Apache-2.0
// A run ends at its deadline and says how far it was; what had time for is the same spec with fewer trials. A run that
// needs more memory than the module has fails in one line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';
import { cfpc, specOf, thrownBy } from './package.mjs';

const { withFewer } = await bundled('page/lab/fewer.ts');
const { timeLeft } = await bundled('page/lab/left.ts');
const pursuit = specOf('pursuit');

test('a run that is late stops at its next trial, says how far it was, and the next call works', async () => {
  const ticks = [];
  const from = performance.now();
  const { outcome, message, reached } = await thrownBy(() =>
    cfpc.run(pursuit, { online: true, trials: 500000, deadlineMs: 300 }, (_, done, total) =>
      ticks.push({ done, total }),
    ),
  );
  assert.ok(performance.now() - from < 20000);
  assert.equal(outcome, 'late');
  assert.match(message, /^stopped after 0\.3 s, at \d %$/);
  assert.deepEqual(reached, ticks.at(-1));
  assert.ok(reached.done > 0 && reached.total > 4 * 500000);
  assert.equal(cfpc.run(pursuit).ok, true);
});

test('a certificate has a deadline, too', async () => {
  assert.equal((await thrownBy(() => cfpc.certify(pursuit, { deadlineMs: 1e-3 }))).outcome, 'late');
});

test('what ends before its deadline is as without one', () => {
  assert.equal(cfpc.run(pursuit, { deadlineMs: 1e9 }).hash, cfpc.run(pursuit).hash);
});

test('a deadline of a wrong type is refused by name', async () => {
  for (const deadlineMs of [0, -1, NaN, '5'])
    assert.match(
      (await thrownBy(() => cfpc.run(pursuit, { deadlineMs }))).message,
      /^options\.deadlineMs must be a number above 0/,
    );
});

test('more memory than the module has: one line, and the next call works', async () => {
  const set = { 'scale.sizes': [4000000], claims: [] };
  const thrown = await thrownBy(() => cfpc.run(specOf('purkinje'), { set }));
  assert.deepEqual([thrown.outcome, thrown.message], ['failed', 'purkinje.yaml: memory ran out']);
  const zone = await thrownBy(() =>
    cfpc.run(specOf('microzone'), { set: { 'zone.cells': 1000, 'zone.synapses': 1000000 } }),
  );
  assert.equal(zone.outcome, 'refused');
  assert.match(
    zone.message,
    /^microzone\.yaml:31:1: 1000 cells of 1000000 synapses need .* and there is memory for 1\.07 GB/,
  );
  assert.equal(cfpc.run(pursuit).ok, true);
});

// ---- the page ------------------------------------------------------------------------------------

test('with the share that was done, a spec has that share of its trials: it is the run with so many', () => {
  const spec = specOf('pursuit-spikes');
  const { text, says } = withFewer(spec.text, 0.147); // 117.6 of 800
  assert.equal(says, '110 trials');
  assert.equal(text, spec.text.replace('trials: 800', 'trials: 110'));
  assert.equal(cfpc.run({ ...spec, text }).hash, cfpc.run(spec, { trials: 110 }).hash);
});

test('trials are cut in every phase and part, to two digits, and no further than one', () => {
  for (const name of ['microzone', 'matched-delay', 'purkinje', 'vor', 'recurrent', 'two-joints']) {
    const spec = specOf(name);
    const { text, says } = withFewer(spec.text, 0.377);
    assert.equal(says, '37 % of the trials');
    assert.doesNotThrow(() => cfpc.show({ ...spec, text }), name);
  }
  const { text } = withFewer(specOf('blink').text, 0.377);
  assert.match(text, /acquisition, trials: 37}[\s\S]*extinction, trials: 110[\s\S]*test, trials: 1,/);
  assert.equal(withFewer('learning: {trials: 1}', 0.5), undefined);
  assert.equal(withFewer('learning: {rate: 1000}', 0.5), undefined);
});

test('the time left is that of what was done, without the set-up; at first it is not known', () => {
  const left = timeLeft();
  assert.equal(left(1, 101, 8000), '');
  assert.equal(left(2, 101, 8100), '');
  assert.equal(left(11, 101, 9000), 'about 9 s left');
  assert.equal(left(11, 1001, 9000), 'about 99 s left');
  assert.equal(left(11, 10001, 9000), 'about 17 minutes left');
  assert.equal(left(11, 1000001, 9000), 'about 28 hours left');
});
