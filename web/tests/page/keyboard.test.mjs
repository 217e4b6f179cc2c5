// SPDX-License-Identifier: Apache-2.0
// Keyboard only: everything that a pointer can use is reached by Tab, in the order of the page, and is seen to be
// reached; arrow keys move sliders.
import assert from 'node:assert/strict';
import test from 'node:test';
import { openEssay, openLab, settled, until } from './acts.mjs';
import { browser, fresh, screenshot, site } from './harness.mjs';

const server = await site();
const chrome = await browser();

/** Presses Tab from the top of the page to its end; what was reached, and whether it showed that. */
async function tabThrough(page) {
  await page.evaluate(() => {
    document.activeElement?.blur();
    scrollTo(0, 0);
  });
  const reached = [];
  for (let k = 0; k < 400; k++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(async () => {
      const each = document.activeElement;
      if (!each || each === document.body) return null;
      globalThis.tabs ??= {};
      each.dataset.tab ??= String(Object.keys(globalThis.tabs).length);
      if (globalThis.tabs[each.dataset.tab]) return null; // a second round
      globalThis.tabs[each.dataset.tab] = true;
      const isMarked = (element) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      };
      const frame = each.closest('.lab-editor-box'); // the editor's frame is that of its line numbers too
      const ring = each.querySelector(':scope > .drawing-focus'); // a point of a drawing has a ring
      const isRinged = () =>
        ring !== null &&
        getComputedStyle(ring).stroke !== 'none' &&
        parseFloat(getComputedStyle(ring).strokeWidth) >= 2;
      const look = () => {
        const box = each.getBoundingClientRect();
        const seen = isMarked(each) || (frame !== null && isMarked(frame)) || isRinged();
        return { seen, inView: box.bottom > 0 && box.top < innerHeight };
      };
      // A browser may scroll to what has the focus in one of the next frames.
      for (let frames = 0; frames < 60 && !(look().seen && look().inView); frames++)
        await new Promise(requestAnimationFrame);
      return { id: each.id || `${each.tagName} ${each.textContent.trim().slice(0, 30)}`, ...look() };
    });
    if (!at) break;
    reached.push(at);
  }
  return reached;
}

for (const [name, open] of Object.entries({ essay: openEssay, lab: openLab }))
  test(`${name}: Tab reaches every control, each is seen`, async () => {
    const { page, end } = await fresh(chrome, server);
    await open(page, server);
    const reached = await tabThrough(page);
    const controls = await page
      .locator('a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary')
      // Of radio buttons Tab reaches the chosen one; arrow keys choose another.
      .evaluateAll((all) =>
        all
          .filter(
            (each) =>
              each.checkVisibility({ visibilityProperty: true }) &&
              each.tabIndex >= 0 &&
              !(each.type === 'radio' && !each.checked),
          )
          .map((each) => each.dataset.tab ?? `not reached: ${each.id || each.textContent}`),
      );
    assert.deepEqual(
      controls.filter((each) => each.startsWith('not reached')),
      [],
    );
    assert.deepEqual(
      reached.filter(({ seen }) => !seen).map(({ id }) => id),
      [],
      'the focus is not seen',
    );
    assert.deepEqual(
      reached.filter(({ inView }) => !inView).map(({ id }) => id),
      [],
      'the focus is off the screen',
    );
    await end();
  });

test('essay: the skip link leads to the text, an arrow key moves the slider by a step', async () => {
  const { page, end } = await fresh(chrome, server);
  await openEssay(page, server);
  await page.evaluate(() => scrollTo(0, 0));
  const section = page.locator('#chapter-1');
  const before = await settled(section);
  await page.locator('#chapter1-delay').focus();
  const was = Number(await page.locator('#chapter1-delay').inputValue());
  await page.keyboard.press('ArrowRight');
  assert.equal(Number(await page.locator('#chapter1-delay').inputValue()), was + 1);
  await until(
    section,
    (now) => now.text !== before.text && now.drawing !== before.drawing,
    'the arrow key changes nothing',
  );
  await screenshot(page, 'essay-keyboard');

  await end();
});
