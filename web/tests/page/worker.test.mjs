// SPDX-License-Identifier: Apache-2.0
// A worker that dies is started again with a word, and the page works as before.
import assert from 'node:assert/strict';
import test from 'node:test';
import { openChapter, otherValue, settled, slide, until } from './acts.mjs';
import { browser, fresh, site } from './harness.mjs';

const server = await site();
const chrome = await browser();

test('a worker that dies is started again: the page says so, and its sliders work', async () => {
  const { page, end } = await fresh(chrome, server, { mayFail: /ended by the test/ });
  await page.goto(`${server.origin}/index.html`);
  const section = await openChapter(page, 1);
  await settled(section);
  const [worker] = page.workers();
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('ended by the test');
    });
  });
  await page
    .locator('#status.shown')
    .getByText(/worker/)
    .waitFor();

  const input = section.locator('input[type=range]:enabled').first();
  const before = await settled(section);
  await slide(input, await otherValue(input));
  await until(
    section,
    (now) => now.text !== before.text && now.drawing !== before.drawing,
    'the slider changes nothing',
  );
  assert.notEqual(page.workers()[0], worker);
  await end();
});
