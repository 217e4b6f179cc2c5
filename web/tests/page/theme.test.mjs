// SPDX-License-Identifier: Apache-2.0
// Dark and light: what the system prefers, until the reader chooses; the choice holds on both pages.
import assert from 'node:assert/strict';
import test from 'node:test';
import { CHAPTERS, openChapter, openEssay, openLab, settled } from './acts.mjs';
import { browser, fresh, screenshot, site } from './harness.mjs';

const server = await site();
const chrome = await browser();

/** How light the page's ground is, from 0 to 255. */
const ground = (page) =>
  page.evaluate(() => {
    const [r, g, b] = getComputedStyle(document.body)
      .backgroundColor.match(/[\d.]+/g)
      .map(Number);
    return (r + g + b) / 3;
  });

for (const colorScheme of ['light', 'dark'])
  test(`a system that prefers ${colorScheme} gets it, in text and figures`, async () => {
    const { page, end } = await fresh(chrome, server, { colorScheme });
    await openEssay(page, server);
    assert.equal((await ground(page)) < 128, colorScheme === 'dark');
    for (const n of CHAPTERS) {
      await page.locator(`#chapter-${n}`).scrollIntoViewIfNeeded();
      await screenshot(page, `essay-${n}-${colorScheme}`);
    }
    await screenshot(page, `essay-${colorScheme}`, { fullPage: true });
    await openLab(page, server);
    assert.equal((await ground(page)) < 128, colorScheme === 'dark');
    await screenshot(page, `lab-${colorScheme}`, { fullPage: true });
    await end();
  });

test('the button changes page and figures, and the other page keeps the choice', async () => {
  const { page, end } = await fresh(chrome, server, { colorScheme: 'light' });
  await page.goto(`${server.origin}/index.html`);
  const section = await openChapter(page, 1);
  const before = await settled(section);
  await page.locator('#theme').click();
  assert.ok((await ground(page)) < 128, 'it is not dark');
  assert.notEqual((await settled(section)).drawing, before.drawing, 'the figure kept its colours');
  await page.goto(`${server.origin}/lab.html`);
  assert.ok((await ground(page)) < 128, 'the lab is not dark');
  await end();
});
