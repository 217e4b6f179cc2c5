// SPDX-License-Identifier: Apache-2.0
// After a first visit both pages work without a network, also the page that was not visited.
import test from 'node:test';
import { openChapter, openLab, otherValue, settled, slide, until } from './acts.mjs';
import { browser, fresh, site } from './harness.mjs';

const server = await site();
const chrome = await browser();

test('the essay is visited once; then it works offline, and so does the lab', async () => {
  const { page, context, end } = await fresh(chrome, server);
  await page.goto(`${server.origin}/index.html`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await server.close(); // setOffline leaves the service worker's own requests alone

  await page.reload();
  const section = await openChapter(page, 1);
  const input = section.locator('input[type=range]:enabled').first();
  const was = await settled(section);
  await slide(input, await otherValue(input));
  await until(section, (now) => now.drawing !== was.drawing && now.text !== was.text, 'the slider changes nothing');

  await openLab(page, server);
  await end();
});
