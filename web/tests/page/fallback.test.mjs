// SPDX-License-Identifier: Apache-2.0
// A browser without WebAssembly, or without JavaScript, gets a sentence and the static figures.
import assert from 'node:assert/strict';
import test from 'node:test';
import { CHAPTERS } from './acts.mjs';
import { browser, fresh, screenshot, site } from './harness.mjs';

const server = await site();
const chrome = await browser();

/** Every chapter has a picture that was loaded. */
async function seesFigures(page) {
  for (const n of CHAPTERS) {
    const pictures = page.locator(`#chapter-${n} .live img, #chapter-${n} .live svg, #chapter-${n} img.static`);
    const picture = pictures.first();
    await picture.scrollIntoViewIfNeeded();
    await picture.waitFor();
    const box = await picture.boundingBox();
    assert.ok(box.width > 200 && box.height > 100, `chapter ${n} has a picture of ${box.width} x ${box.height}`);
  }
}

test('without WebAssembly the essay says so and shows its static figures', async () => {
  const { page, end } = await fresh(chrome, server, { script: () => delete globalThis.WebAssembly });
  await page.goto(`${server.origin}/index.html`);
  await page
    .getByText(/WebAssembly/)
    .first()
    .waitFor();
  await seesFigures(page);
  await screenshot(page, 'essay-without-webassembly', { fullPage: true });
  await end();
});

test('without WebAssembly the lab says what is missing', async () => {
  const { page, end } = await fresh(chrome, server, { script: () => delete globalThis.WebAssembly });
  await page.goto(`${server.origin}/lab.html`);
  await page
    .getByText(/WebAssembly/)
    .first()
    .waitFor();
  await end();
});

test('without JavaScript the essay has its words and static figures', async () => {
  const { page, end } = await fresh(chrome, server, { javaScriptEnabled: false });
  await page.goto(`${server.origin}/index.html`);
  await seesFigures(page);
  await end();
});
