// SPDX-License-Identifier: Apache-2.0
// Both pages, dark and light, desktop and phone, in their live states: axe-core has no serious or critical finding.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { openEssay, openLab } from './acts.mjs';
import { browser, DESKTOP, fresh, PHONE, site } from './harness.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const server = await site();
const chrome = await browser();

/** What axe finds that keeps someone from using the page: one line each. */
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${help}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
    );
}

for (const colorScheme of ['light', 'dark'])
  for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
    for (const [name, open] of Object.entries({ essay: openEssay, lab: openLab }))
      test(`${name}, ${colorScheme}, ${size}: no serious or critical finding`, async () => {
        const { page, end } = await fresh(chrome, server, { colorScheme, viewport });
        await open(page, server);
        assert.deepEqual(await findings(page), []);
        await end();
      });
