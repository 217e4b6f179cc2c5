// SPDX-License-Identifier: Apache-2.0
// acts: what a reader does on the pages, and what is seen then. Each act ends when its state is there.
import assert from 'node:assert/strict';

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
  let last = await shown(section);
  for (let same = 0; same < 4; ) {
    await new Promise((next) => setTimeout(next, 60));
    const now = await shown(section);
    same = now.text === last.text && now.drawing === last.drawing ? same + 1 : 0;
    last = now;
  }
  return last;
}

/** Waits until what a section shows satisfies a condition; then gives it. */
export async function until(section, holds, what, milliseconds = 60_000) {
  const end = Date.now() + milliseconds;
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
    Number(max) - valueAsNumber > valueAsNumber - Number(min) ? Number(max) : Number(min));
}

/** Opens the lab and waits until the first experiment was run. */
export async function openLab(page, server, hash = '') {
  await page.goto(`${server.origin}/lab.html${hash}`);
  await page.locator('.figure canvas').first().waitFor();
}
