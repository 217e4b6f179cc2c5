// SPDX-License-Identifier: Apache-2.0
// On a phone, 360 pixels wide: nothing has to be scrolled sideways, and what is touched is large enough.
import assert from 'node:assert/strict';
import test from 'node:test';
import { openEssay, openLab } from './acts.mjs';
import { browser, fresh, PHONE, screenshot, site } from './harness.mjs';

const server = await site();
const chrome = await browser();
const phone = { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

for (const [name, open] of Object.entries({ essay: openEssay, lab: openLab }))
  test(`${name}: no part is wider than the screen`, async () => {
    const { page, end } = await fresh(chrome, server, phone);
    await open(page, server);
    const wide = await page.evaluate(() => {
      const screen = document.documentElement.clientWidth;
      const scrolls = (element) => {
        for (let box = element.parentElement; box; box = box.parentElement)
          if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(box).overflowX)) return true;
        return false;
      };
      return [...document.body.querySelectorAll('*')]
        .filter((each) => each.getBoundingClientRect().right > screen + 1 && each.checkVisibility() && !scrolls(each))
        .map((each) => `${each.tagName}.${each.className} ends at ${Math.round(each.getBoundingClientRect().right)}`);
    });
    assert.deepEqual(wide, []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    await screenshot(page, `${name}-phone`, { fullPage: true });
    await end();
  });

for (const [name, open] of Object.entries({ essay: openEssay, lab: openLab }))
  test(`${name}: sliders and buttons are at least 24 pixels high`, async () => {
    const { page, end } = await fresh(chrome, server, phone);
    await open(page, server);
    const small = await page
      .locator('button:visible, input[type=range]:visible, select:visible')
      .evaluateAll((all) =>
        all.filter((each) => each.getBoundingClientRect().height < 24).map((each) => each.id || each.textContent),
      );
    assert.deepEqual(small, []);
    await end();
  });
