// SPDX-License-Identifier: Apache-2.0
// A new build takes over as a whole: a page that is open keeps its own, and the next load shows the new one.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { browser, fresh, SITE } from './harness.mjs';
import { serve } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'cfpc-site-'));
cpSync(SITE, folder, { recursive: true });
const server = await serve(folder);
after(() => server.close().then(() => rmSync(folder, { recursive: true })));
const chrome = await browser();

function change(name, from, to) {
  const text = readFileSync(join(folder, name), 'utf8');
  assert.match(text, from);
  writeFileSync(join(folder, name), text.replace(from, to));
}

test('after a new build the open page says so, and a reload shows the new one, offline too', async () => {
  const { page, context, end } = await fresh(chrome, server);
  await page.goto(`${server.origin}/index.html`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(() => navigator.serviceWorker.controller);

  change('index.html', /<h1>[^<]*<\/h1>/, '<h1>Second build</h1>');
  change('offline.js', /"[0-9a-f]{12}"/, '"0123456789ab"');
  await page.evaluate(() => navigator.serviceWorker.ready.then((kept) => kept.update()).then(() => undefined));
  await page.getByText('A new version of this page is ready').waitFor();
  assert.notEqual(await page.locator('h1').textContent(), 'Second build');

  await page.reload();
  await page.getByRole('heading', { name: 'Second build' }).waitFor();
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: 'Second build' }).waitFor();
  const caches = await page.evaluate(() => caches.keys());
  assert.deepEqual(caches.length, 1, `${caches}: the old build is still kept`);
  await end();
});
