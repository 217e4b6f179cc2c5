// SPDX-License-Identifier: Apache-2.0
// The essay: every slider of every chapter changes what is drawn and what is said; nothing moves under the pointer.
import assert from 'node:assert/strict';
import test from 'node:test';
import { CHAPTERS, openChapter, otherValue, settled, slide, until } from './acts.mjs';
import { browser, fresh, screenshot, site } from './harness.mjs';

const server = await site();
const chrome = await browser();

/** Every slider by its id; one that is disabled in the chapter's first state is left to the chapter's own tests. */
async function sliderIds(section) {
  return section.locator('input[type=range]:enabled').evaluateAll((inputs) => inputs.map((input) => input.id));
}

for (const n of CHAPTERS)
  test(`chapter ${n}: each slider changes the drawing and the words`, async () => {
    const { page, end } = await fresh(chrome, server);
    await page.goto(`${server.origin}/index.html`);
    const section = await openChapter(page, n);
    const ids = await sliderIds(section);
    assert.ok(ids.length > 0, 'a chapter has a slider');
    for (const id of ids) {
      const input = page.locator(`#${id}`);
      const before = await settled(section);
      await slide(input, await otherValue(input));
      await until(
        section,
        (now) => now.text !== before.text && now.drawing !== before.drawing,
        `#${id} changes nothing`,
      );
    }
    await screenshot(page, `essay-chapter-${n}`);
    await end();
  });

for (const n of CHAPTERS)
  test(`chapter ${n}: a slider that is moved from end to end stays where it is on the screen`, async () => {
    const { page, end } = await fresh(chrome, server);
    await page.goto(`${server.origin}/index.html`);
    const section = await openChapter(page, n);
    for (const id of await sliderIds(section)) {
      const input = page.locator(`#${id}`);
      await input.scrollIntoViewIfNeeded();
      const place = await input.boundingBox();
      const { min, max } = await input.evaluate(({ min, max }) => ({ min: Number(min), max: Number(max) }));
      for (const value of [max, min]) {
        const before = await settled(section);
        const was = await input.inputValue();
        await slide(input, value);
        if (Number(was) !== value) await until(section, (now) => now.text !== before.text, `#${id} says nothing new`);
        const now = await input.boundingBox(); // less than a pixel is rounding of the scroll position
        const moved = Math.max(Math.abs(now.x - place.x), Math.abs(now.y - place.y), Math.abs(now.width - place.width));
        assert.ok(moved < 1, `#${id} at ${value} has moved by ${moved} pixels`);
      }
    }
    await end();
  });
