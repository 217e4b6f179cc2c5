// SPDX-License-Identifier: Apache-2.0
// cfpc in a worker: the same answers, one after another; stopped, died and closed workers. Under Node; the page's tests
// do the same in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CfpcError, connect } from '../cfpc/dist/cfpc.js';
import { BASIS, cfpc, LOOP, specOf, thrownBy } from './package.mjs';

const pursuit = specOf('pursuit');
const LONG = [pursuit, { online: true, trials: 50000 }];
const r = Float64Array.from({ length: 500 }, (_, n) => Math.min(n / 250, 1));
const LEARN = { loop: LOOP, basis: BASIS, trace: { kind: 'forward-model' }, rateFraction: 0.5, trials: 5, r };

/** Calls with a worker, which is closed in the end. */
async function connected(call, options) {
  const remote = await connect(options);
  try {
    await call(remote);
  } finally {
    remote.close();
  }
}

const whyOf = ({ outcome, message, reached }) => [outcome, message, reached];
const outcomeOf = async (promise) => (await thrownBy(() => promise)).outcome;

test('a worker answers as the module in this thread does', () =>
  connected(async (remote) => {
    assert.equal(remote.version, cfpc.version);
    assert.deepEqual((await remote.run(pursuit)).datasets, cfpc.run(pursuit).datasets);
    assert.equal(await remote.show(pursuit), cfpc.show(pursuit));
    assert.equal((await remote.check(pursuit)).text, cfpc.check(pursuit).text);
    assert.deepEqual(await remote.loop(LOOP), cfpc.loop(LOOP));
    assert.deepEqual(await remote.simulate(LOOP, r), cfpc.simulate(LOOP, r));
    assert.deepEqual(await remote.bases(BASIS, 1, 500), cfpc.bases(BASIS, 1, 500));
    assert.deepEqual(await remote.learn(LEARN), cfpc.learn(LEARN));
    assert.equal(r.length, 500); // what is given stays with the caller
  }));

test('calls are answered in their order', () =>
  connected(async (remote) => {
    const order = [];
    await Promise.all([
      remote.run(pursuit).then(() => order.push(1)),
      remote.loop(LOOP).then(() => order.push(2)),
      remote.show(pursuit).then(() => order.push(3)),
    ]);
    assert.deepEqual(order, [1, 2, 3]);
  }));

test('an error crosses with its place', () =>
  connected(async (remote) => {
    const thrown = await thrownBy(() => remote.check({ text: pursuit.text.replace('kp: 20', 'kp: x') }));
    assert.ok(thrown instanceof CfpcError);
    assert.deepEqual([thrown.outcome, thrown.place], ['refused', { file: 'spec.yaml', line: 15, column: 30 }]);
    assert.equal(await outcomeOf(remote.run(pursuit, { set: { a: () => 1 } })), 'refused');
    assert.equal((await remote.check(pursuit)).name, 'pursuit');
  }));

test('progress comes at most about 20 times per second', () =>
  connected(async (remote) => {
    const ticks = [];
    const from = performance.now();
    await remote.run(specOf('posture'), {}, (what, done, total) => ticks.push([what, done, total]));
    assert.ok(ticks.length >= 1);
    assert.ok(ticks.length <= 2 + (performance.now() - from) / 45);
  }));

test('stop ends what runs and what waits, and the next call works', () =>
  connected(async (remote) => {
    let told;
    const begun = new Promise((resolve) => {
      told = resolve;
    });
    const calls = [remote.run(...LONG, told), remote.loop(LOOP), remote.show(pursuit)].map(outcomeOf);
    await begun;
    remote.stop();
    const next = remote.loop(LOOP);
    assert.deepEqual(await Promise.all(calls), ['stopped', 'stopped', 'stopped']);
    assert.equal((await next).stable, true);
    remote.stop(); // nothing runs
    assert.equal((await remote.loop(LOOP)).stable, true);
  }));

test('what is late says how far it was; what waits goes on, and no word is said of the worker', async () => {
  const words = [];
  await connected(
    async (remote) => {
      const [spec, options] = LONG;
      const running = thrownBy(() => remote.run(spec, { ...options, deadlineMs: 5000 }));
      const waiting = remote.loop(LOOP);
      const {
        outcome,
        message,
        reached: { done, total },
      } = await running;
      assert.equal(outcome, 'late');
      assert.ok(done > 0 && done < total && total > 4 * 50000, message);
      assert.equal((await waiting).stable, true);
      const silent = thrownBy(() => remote.check(specOf('rivals'), { deadlineMs: 200 }));
      const next = remote.loop(LOOP);
      assert.deepEqual(whyOf(await silent), [
        'late',
        'stopped after 0.2 s, while it was set up',
        { done: 0, total: 0 },
      ]);
      assert.equal((await next).stable, true);
      assert.equal((await remote.check(pursuit, { deadlineMs: 1e6 })).name, 'pursuit');
    },
    { onRestart: (it) => words.push(it) },
  );
  assert.deepEqual(words, []);
});

test('a tick that throws ends its call with what it threw, and the next call works', () =>
  connected(async (remote) => {
    const thrown = new Error('enough');
    await assert.rejects(
      remote.run(...LONG, () => {
        throw thrown;
      }),
      (it) => it === thrown,
    );
    assert.equal((await remote.loop(LOOP)).stable, true);
  }));

test('a worker that dies rejects its call, is started anew with a word, and what waits goes on', async () => {
  for (const [how, says] of [
    ['exit', /ended with 3/],
    ['throw', /out of something/],
  ]) {
    const words = [];
    await connected(
      async (remote) => {
        const dying = thrownBy(() => remote.show({ text: how }));
        const waiting = remote.loop(LOOP);
        const thrown = await dying;
        assert.equal(thrown.outcome, 'died');
        assert.match(thrown.message, says);
        assert.equal((await waiting).stable, true);
        assert.equal(words.length, 1);
        assert.match(words[0], /died .* started again/);
      },
      { onRestart: (it) => words.push(it), worker: new URL('mortal-worker.mjs', import.meta.url) },
    );
  }
});

test('a closed worker rejects what waits and what comes', async () => {
  const remote = await connect();
  const waiting = outcomeOf(remote.loop(LOOP));
  remote.close();
  assert.equal(await waiting, 'stopped');
  assert.equal(await outcomeOf(remote.loop(LOOP)), 'stopped');
});

test('a worker or a module that cannot be loaded is said when connecting', async () => {
  const missing = await thrownBy(() => connect({ worker: new URL('no-such-worker.mjs', import.meta.url) }));
  assert.equal(missing.outcome, 'died');
  assert.match(missing.message, /could not be started/);
  const broken = await thrownBy(() => connect({ wasm: new Uint8Array([1, 2, 3]) }));
  assert.match(broken.message, /cfpc-native\.wasm could not be loaded/);
});
