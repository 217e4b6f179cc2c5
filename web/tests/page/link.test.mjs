// SPDX-License-Identifier: Apache-2.0
// A link holds the spec: opened by someone else, it shows the same spec, figures and measures.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { edit, openLab, ran, resultShown, run } from './acts.mjs';
import { browser, fresh, ROOT, site } from './harness.mjs';

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

const WRONG = {
  '#z:damaged': /damaged/,
  '#garbage': /no spec/,
  '#experiment=nonsense': /no experiment/,
  '#experiment=%E0%A4%A': /no experiment/,
};
for (const [hash, says] of Object.entries(WRONG))
  test(`a link with ${hash} says what is wrong with it, and the lab works`, async () => {
    const { page, end } = await fresh(chrome, server);
    await page.goto(`${server.origin}/lab.html${hash}`);
    await page.locator('#status.shown.error').getByText(says).waitFor();
    await ran(page);
    await end();
  });

const HOSTILE = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';

/** The address of the lab with anything after its hash. */
function linkWith(spec) {
  return `${server.origin}/lab.html#p:${Buffer.from(JSON.stringify(spec)).toString('base64url')}`;
}

test('markup in a spec of a link is shown as text, wherever it stands', async () => {
  const pursuit = readFileSync(join(ROOT, 'experiments/pursuit.yaml'), 'utf8');
  const text = pursuit
    .replace(/^title: .*$/m, () => `title: '${HOSTILE}'`)
    .replaceAll(/says: .*$/gm, () => `says: '${HOSTILE}'`);
  const { page, end } = await fresh(chrome, server);
  await page.goto(linkWith({ text, file: HOSTILE, files: JSON.parse('{"__proto__": "x", "../../dev/x": "y"}') }));
  await page
    .locator('#lab-message')
    .getByText(/cannot be the name of a file/)
    .waitFor();
  await page.goto('about:blank');
  await page.goto(linkWith({ text, files: JSON.parse(`{"__proto__": "x", "constructor": "y"}`) }));
  await ran(page);
  await page.locator('#lab-about').getByText('<img').waitFor();
  await page.locator('#lab-claims').getByText('<img').first().waitFor();
  assert.equal(await page.locator('img[onerror]').count(), 0);
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  await end();
});

test('markup in a name or a wrong value is shown as text', async () => {
  const { page, end } = await fresh(chrome, server);
  for (const text of [`name: '${HOSTILE}'`, `'${HOSTILE}': 1`, `name: x\ntitle: [${JSON.stringify(HOSTILE)}`]) {
    await page.goto('about:blank');
    await page.goto(linkWith({ text }));
    await page.locator('#lab-message').getByText(/./).waitFor();
    assert.equal(await page.locator('img[onerror]').count(), 0);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  }
  await page.goto(`${server.origin}/lab.html#experiment=${encodeURIComponent(HOSTILE)}`);
  await page.locator('#status.shown.error').getByText('There is no experiment <img').waitFor();
  assert.equal(await page.locator('img[onerror]').count(), 0);
  await end();
});

test('a link that unpacks to far more than a spec is refused, and the lab works', async () => {
  const { page, end } = await fresh(chrome, server);
  const { deflateRawSync } = await import('node:zlib');
  const bomb = deflateRawSync(Buffer.alloc(2e8, 0x20)).toString('base64url');
  await page.goto(`${server.origin}/lab.html#z:${bomb}`);
  await page.locator('#status.shown.error').getByText('too long: 4 MB is the maximum').waitFor();
  await ran(page);
  await end();
});
