// SPDX-License-Identifier: Apache-2.0
// What each chapter offers beside its sliders: drawing, playing, choosing, comparing.
import assert from 'node:assert/strict';
import test from 'node:test';
import { openChapter, settled, until } from './acts.mjs';
import { browser, fresh, screenshot, site } from './harness.mjs';

const server = await site();
const chrome = await browser();

/** Opens a chapter alone in a page. */
async function open(n) {
  const visit = await fresh(chrome, server);
  await visit.page.goto(`${server.origin}/index.html`);
  const section = await openChapter(visit.page, n);
  return { ...visit, section, before: await settled(section) };
}

const changed = (before) => (now) => now.text !== before.text && now.drawing !== before.drawing;

test('chapter 1: the button "50 ms, gain 3" shows a loop that is unstable, and says so', async () => {
  const { page, section, before, end } = await open(1);
  await page.locator('#chapter1-try-unstable').click();
  await until(section, changed(before), 'the button changes nothing');
  assert.match(await page.locator('#chapter1-result').textContent(), /unstable/);
  await end();
});

test('chapter 2: o is drawn with the mouse, and the eye moves', async () => {
  const { page, section, before, end } = await open(2);
  const field = page.locator('#chapter2-draw');
  await field.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await field.boundingBox();
  await page.mouse.move(x + 0.2 * width, y + 0.5 * height);
  await page.mouse.down();
  for (let k = 0; k <= 10; k++) await page.mouse.move(x + (0.2 + 0.02 * k) * width, y + (0.5 - 0.03 * k) * height);
  await page.mouse.up();
  await until(section, changed(before), 'the drawing changes nothing');
  await screenshot(page, 'essay-chapter-2-drawn');
  await end();
});

test('chapter 2: a point of o is moved by keys, and cleared', async () => {
  const { page, section, before, end } = await open(2);
  const point = page.locator('#chapter2-draw [role=slider][tabindex="0"]');
  await point.focus();
  const was = await point.getAttribute('aria-valuenow');
  await page.keyboard.press('ArrowUp');
  const moved = await until(section, changed(before), 'the key changes nothing');
  assert.notEqual(await point.getAttribute('aria-valuenow'), was);
  await page.locator('#chapter2-clear').click();
  await until(section, changed(moved), 'the button changes nothing');
  assert.equal(await point.getAttribute('aria-valuenow'), was);
  await end();
});

test('chapter 2: the best o that 20 bases allow leaves less than a tenth of the error', async () => {
  const { page, section, before, end } = await open(2);
  await page.locator('#chapter2-best').click();
  await until(section, changed(before), 'the button changes nothing');
  const error = Number(await page.locator('#chapter2-error').textContent());
  assert.ok(error > 0.04 && error < 0.05, `rRMSE ${error}`);
  await end();
});

test('chapter 3: trials are played, one by one and by themselves, to the last', async () => {
  const { page, section, before, end } = await open(3);
  const trial = page.locator('#chapter3-trial');
  await page.locator('#chapter3-step').click();
  assert.equal(await trial.inputValue(), '2');
  await until(section, changed(before), 'the next trial looks the same');
  await page.locator('#chapter3-speed').selectOption('8');
  await page.locator('#chapter3-play').click();
  await page.waitForFunction(
    () => document.querySelector('#chapter3-trial').value === document.querySelector('#chapter3-trial').max,
  );
  const [error, optimum] = await Promise.all(
    ['error', 'optimum'].map((id) => page.locator(`#chapter3-${id}`).textContent()),
  );
  assert.ok(Number(error) < 1.02 * Number(optimum), `rRMSE ${error} after the last trial, ${optimum} is possible`);
  await end();
});

test('chapter 4: without a delay learning explodes; the forward model and the whitened filter learn', async () => {
  const { page, section, end } = await open(4);
  await page.locator('#chapter4-try-none').click(); // the chapter may begin with it
  let last = await settled(section);
  assert.ok(Number(await page.locator('#chapter4-end').textContent()) > 1, 'the error is not larger than before');
  for (const trace of ['forward-model', 'whitened']) {
    await page.locator(`#chapter4-trace-${trace}`).check();
    last = await until(section, changed(last), `${trace} changes nothing`);
    await settled(section);
    assert.ok(Number(await page.locator('#chapter4-end').textContent()) < 0.05, `${trace} does not learn`);
  }
  await end();
});

test('chapter 5: the guard ends what the certificate has warned of', async () => {
  const { page, section, before, end } = await open(5);
  const verdict = await page.locator('#chapter5-verdict').textContent();
  assert.notEqual(verdict.trim(), '');
  await page.locator('#chapter5-guard').setChecked(!(await page.locator('#chapter5-guard').isChecked()));
  await until(section, changed(before), 'the guard changes nothing');
  const last = await settled(section);
  await page.locator('#chapter5-compare').click();
  await until(section, changed(last), 'nothing is compared');
  await screenshot(page, 'essay-chapter-5-compared');
  await end();
});
