// SPDX-License-Identifier: Apache-2.0
// acts: what a reader does on the pages, and what is seen then. Each act ends when its state is there.
import assert from 'node:assert/strict';
import { PATIENCE_MS } from './harness.mjs';

export const CHAPTERS = [1, 2, 3, 4, 5];

/** Opens the essay and makes every chapter live. */
export async function openEssay(page, server) {
  await page.goto(`${server.origin}/index.html`);
  for (const n of CHAPTERS) await openChapter(page, n);
}

/** Scrolls to a chapter and waits until its figures are drawn and its controls can be used. */
export async function openChapter(page, n) {
  const section = page.locator(`#chapter-${n}`);
  await section.locator('.live').scrollIntoViewIfNeeded();
  await section.locator('.live .figure canvas').first().waitFor();
  await page.waitForFunction((id) => {
    const live = document.querySelector(`#${id} .live`);
    const sliders = [...live.querySelectorAll('input[type=range]')];
    return sliders.length > 0 && sliders.some((slider) => !slider.disabled) && !live.querySelector('[aria-busy=true]');
  }, `chapter-${n}`);
  return section;
}

/** All that a section shows: its words (but for the values of sliders) and its drawings. */
export function shown(section) {
  return section.evaluate((host) => {
    const copy = host.cloneNode(true);
    for (const each of copy.querySelectorAll('.slider, [role=status], script')) each.remove();
    const drawings = [...host.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL());
    const pictures = [...host.querySelectorAll('.live svg')].map((svg) => svg.outerHTML);
    return { text: copy.textContent, drawing: [...drawings, ...pictures].join('\n') };
  });
}

/** What a section shows once it no longer changes by itself: several looks in a row are the same. */
export async function settled(section) {
  const end = Date.now() + PATIENCE_MS;
  let last = await shown(section);
  for (let same = 0; same < 4; ) {
    assert.ok(Date.now() < end, 'it never comes to rest');
    await new Promise((next) => setTimeout(next, 60));
    const now = await shown(section);
    same = now.text === last.text && now.drawing === last.drawing ? same + 1 : 0;
    last = now;
  }
  return last;
}

/** Waits until what a section shows satisfies a condition; then gives it. */
export async function until(section, holds, what) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = await shown(section);
    if (holds(now)) return now;
    assert.ok(Date.now() < end, what);
    await new Promise((next) => setTimeout(next, 50));
  }
}

/** Moves a slider as a finger would, to a value on its scale. */
export async function slide(input, value) {
  await input.fill(String(value));
}

/** Another value of a slider: the end that is further from where it is. */
export function otherValue(input) {
  return input.evaluate(({ min, max, valueAsNumber }) =>
    Number(max) - valueAsNumber > valueAsNumber - Number(min) ? Number(max) : Number(min),
  );
}

// ---- the lab -------------------------------------------------------------------------------------

/** Opens the lab and waits until what it begins with was run. */
export async function openLab(page, server, hash = '') {
  await page.goto(`${server.origin}/lab.html${hash}`);
  await ran(page);
}

/** Waits for the end of a run that succeeded, and for its figures. */
export async function ran(page) {
  await page
    .locator('#lab-state')
    .getByText(/^Done in/)
    .waitFor();
  await drawAll(page);
  await page.locator('#lab-figures .figure canvas').first().waitFor();
}

/** Draws all figures, as for printing; otherwise only those near the screen are drawn. */
function drawAll(page) {
  return page.evaluate(() => void dispatchEvent(new Event('beforeprint')));
}

/** Chooses an experiment and waits until its spec is in the editor and was checked. */
export async function choose(page, name) {
  await page.locator('#lab-experiment').selectOption(name);
  await page.waitForFunction(
    (title) => document.querySelector('#lab-about').textContent.includes(title),
    await page
      .locator(`#lab-experiment option[value="${name}"]`)
      .evaluate((option) => option.textContent.replace(/^[^:]*: /, '')),
  );
}

/** Replaces a part of the spec in the editor, as a person who types would. */
export async function edit(page, from, to) {
  const editor = page.locator('#lab-editor');
  const text = await editor.inputValue();
  assert.ok(text.includes(from), `the spec has no "${from}"`);
  await editor.fill(text.replace(from, to));
}

/** Runs what is in the editor, and waits for its end. */
export async function run(page) {
  await page.locator('#lab-run:enabled').click();
  await page.waitForFunction(
    () => document.querySelector('#lab-stale').textContent === '' && document.querySelector('#lab-stop').disabled,
  );
  await ran(page);
}

/** Moves a slider of the lab by a key, runs the spec, and waits until the result is that of the new spec. */
export async function slideAndRun(page, path, key) {
  const text = await page.locator('#lab-editor').inputValue();
  await page.locator(`[data-path="${path}"] input[type=range]`).focus();
  await page.keyboard.press(key);
  assert.notEqual(
    await page.locator('#lab-editor').inputValue(),
    text,
    `the slider of ${path} does not change the spec`,
  );
  await page.waitForFunction(() => !document.querySelector('#lab-run').disabled);
  await page.keyboard.press('Control+Enter'); // where runs are short the page has done so itself
  await page.waitForFunction(
    () => document.querySelector('#lab-stale').textContent === '' && document.querySelector('#lab-stop').disabled,
  );
  await ran(page);
}

/** Captions and curves' names of every figure, the outcome, and the measures: what a run shows in words. */
export async function resultShown(page) {
  await drawAll(page);
  return page.evaluate(() => ({
    outcome: document.querySelector('#lab-outcome').textContent,
    figures: [...document.querySelectorAll('#lab-figures .figure')].map(
      (each) => each.querySelector('h3').textContent + each.querySelector('figcaption').textContent,
    ),
    claims: document.querySelector('#lab-claims').textContent,
    measures: document.querySelector('#lab-measures').textContent,
  }));
}
