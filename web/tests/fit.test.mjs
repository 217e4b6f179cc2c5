// SPDX-License-Identifier: Apache-2.0
// What a page proposes instead of a run that is too large: every proposal fits, and the lab accepts it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cfpc, specOf, thrownBy } from './package.mjs';

const SENTENCE = /^this run would take about (.+) and (.+), and a page has (.+) and (.+); it fits with (.+)$/;

/** The proposals of a sentence, as settings. */
function proposalsOf(message) {
  const [, , , , , list] = SENTENCE.exec(message) ?? assert.fail(message);
  return list.split('; or with ').map((one) => Object.fromEntries(
    [...one.matchAll(/([\w.+-]+): (\[[^\]]*\]|[\d.e+-]+) \(now (?:\[[^\]]*\]|[\d.e+-]+)\)/g)]
      .map(([, key, value]) => [key, JSON.parse(value)])));
}

async function refused(spec, options) {
  const thrown = await thrownBy(() => cfpc.run(spec, options));
  assert.equal(thrown.outcome, 'refused');
  return thrown.message;
}

/** This share of the time that the spec takes, and its memory. */
function share(spec, of) {
  const { seconds, bytes } = cfpc.check(spec).cost;
  return { seconds: of * seconds, bytes };
}

const CASES = {
  pursuit: 0.5, 'pursuit-spikes': 0.1, anticogging: 0.5, microzone: 0.5, 'matched-delay': 0.1, purkinje: 0.3,
  rivals: 0.6, vor: 0.7,
};

for (const [name, of] of Object.entries(CASES))
  test(`${name} within ${100 * of} % of what it takes: what is proposed is accepted and fits`, async () => {
    const spec = specOf(name), limits = share(spec, of);
    const message = await refused(spec, { limits });
    const proposals = proposalsOf(message);
    assert.ok(proposals.length >= 1 && proposals.length <= 2, message);
    for (const set of proposals) {
      assert.ok(Object.keys(set).length >= 1, message);
      const { cost } = cfpc.check(spec, { set });
      assert.ok(cost.seconds <= limits.seconds && cost.bytes <= limits.bytes, `${message}: ${JSON.stringify(cost)}`);
    }
  });

test('where memory is short, a smaller cell is proposed', async () => {
  const spec = specOf('purkinje'), { seconds, bytes } = cfpc.check(spec).cost;
  const limits = { seconds, bytes: bytes / 2 };
  const [set] = proposalsOf(await refused(spec, { limits }));
  assert.deepEqual(set, { 'scale.sizes': [20, 200, 2000, 20000, 200000] });
  assert.ok(cfpc.check(spec, { set }).cost.bytes <= limits.bytes);
});

test('a proposal is not much smaller than it must be', async () => {
  const spec = specOf('pursuit-spikes'), limits = share(spec, 0.3);
  const [set] = proposalsOf(await refused(spec, { limits }));
  const { cost } = cfpc.check(spec, { set });
  assert.ok(cost.seconds > 0.7 * limits.seconds, JSON.stringify(set));
});

test('what is asked for stands in the sentence beside what there is', async () => {
  const spec = specOf('pursuit-spikes');
  const message = await refused(spec, { set: { 'learning.trials': 1e6 }, limits: { seconds: 60, bytes: 768e6 } });
  assert.match(message, /^this run would take about [\d.]+ hours and [\d.]+ MB, and a page has 60 s and 768 MB; /);
  assert.match(message, /learning\.trials: \d+ \(now 1000000\)/);
});

test('where nothing is small enough, the sentence says what to do', async () => {
  const message = await refused(specOf('pursuit'), { limits: { seconds: 1e-9, bytes: 768e6 } });
  assert.match(message, /; use fewer trials, basis signals or rules, or run it with the command cfpc$/);
});
