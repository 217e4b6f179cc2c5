// SPDX-License-Identifier: Apache-2.0
// A link holds the spec: opened by someone else, it shows the same spec, figures and measures.
import assert from 'node:assert/strict';
import test from 'node:test';
import { edit, openLab, ran, resultShown, run } from './acts.mjs';
import { browser, fresh, site } from './harness.mjs';

const server = await site();
const chrome = await browser();

test('a link opened in another browser shows the same spec, figures and measures', async () => {
  const first = await fresh(chrome, server);
  await openLab(first.page, server);
  await edit(first.page, 'delay_ms: 50', 'delay_ms: 43 # ä, 漢, “quoted”');
  await first.page.waitForFunction(() => !document.querySelector('#lab-run').disabled);
  await run(first.page);
  const text = await first.page.locator('#lab-editor').inputValue();
  const shown = await resultShown(first.page);
  await first.page.locator('#lab-link').click();
  await first.page.locator('#lab-link-box:not([hidden])').waitFor();
  const link = await first.page.locator('#lab-link-text').inputValue();
  await first.end();

  const second = await fresh(chrome, server);
  await second.page.goto(link);
  await ran(second.page);
  assert.equal(await second.page.locator('#lab-editor').inputValue(), text);
  assert.deepEqual(await resultShown(second.page), shown);
  await second.end();
});

const WRONG = { '#z:damaged': /damaged/, '#garbage': /no spec/, '#experiment=nonsense': /no experiment/, '#experiment=%E0%A4%A': /no experiment/ };
for (const [hash, says] of Object.entries(WRONG))
  test(`a link with ${hash} says what is wrong with it, and the lab works`, async () => {
    const { page, end } = await fresh(chrome, server);
    await page.goto(`${server.origin}/lab.html${hash}`);
    await page.locator('#status.shown.error').getByText(says).waitFor();
    await ran(page);
    await end();
  });
