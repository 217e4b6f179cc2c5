// SPDX-License-Identifier: Apache-2.0
// The essay in Chromium: how long a reader waits for the first live figure, and for what a slider does. Prints one line of
// JSON: seconds from the start of the navigation to the frame after the figure was drawn, in a browser that has never seen
// the site; milliseconds from a slider's input event to the frame after its figure has changed.
//   node web/bench/page.mjs [VISITS] [MOVES]
import { chromium } from 'playwright-core';
import { BROWSER, SITE } from '../tests/page/harness.mjs';
import { serve } from '../tests/page/server.mjs';

const [visits = 5, moves = 40] = process.argv.slice(2).map(Number);

/** In the page, before its own scripts: notes the frame after the first figure was drawn. */
function watchFirstFigure() {
  const look = () => {
    if (!document.querySelector('.live .figure canvas')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (globalThis.firstFigureMs = performance.now())));
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
}

/** In the page: moves the delay of the pursuit loop; the milliseconds until the figure shows it. */
function answerMs(value) {
  const input = document.querySelector('#chapter1-delay');
  const caption = document.querySelector('#chapter-1 .figure figcaption');
  return new Promise((done) => {
    const start = performance.now();
    const observer = new MutationObserver(() => {
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    });
    observer.observe(caption, { childList: true, characterData: true, subtree: true });
    input.value = String(value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const server = await serve(SITE);
const chrome = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
const firstFigureS = [];
const sliderMs = [];
for (let k = 0; k < visits; k++) {
  const context = await chrome.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watchFirstFigure);
  await page.goto(`${server.origin}/index.html#chapter-1`);
  await page.waitForFunction(() => globalThis.firstFigureMs);
  firstFigureS.push((await page.evaluate(() => globalThis.firstFigureMs)) / 1000);
  if (k === visits - 1) {
    // Values between 20 and 79 ms, no two alike one after the other.
    for (let i = 0; i < moves; i++) sliderMs.push(await page.evaluate(answerMs, 20 + ((i * 37) % 60)));
  }
  await context.close();
}
await chrome.close();
await server.close();
console.log(JSON.stringify({ first_figure_s: firstFigureS, slider_ms: sliderMs }));
