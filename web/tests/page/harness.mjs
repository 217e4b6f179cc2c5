// SPDX-License-Identifier: Apache-2.0
// harness: the built site on a server of its own, and Debian's Chromium. Every page that a test opens is watched: a
// console error, an uncaught exception or a request to another origin fails the test.
//   CFPC_SITE      the site (default: out/web of the repository)
//   CFPC_CHROMIUM  the browser (default: /usr/bin/chromium)
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const SITE = process.env.CFPC_SITE ?? join(ROOT, 'out/web');
const SCREENS = join(ROOT, 'build/web-screens');
export const BROWSER = process.env.CFPC_CHROMIUM ?? '/usr/bin/chromium';

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 740 };

/** How long a state may take to be reached. Far above what it takes: only a state that never comes fails by it. */
export const PATIENCE_MS = 120_000;

/** The site, served; closed after the tests of the file. */
export async function site() {
  assert.ok(existsSync(join(SITE, 'index.html')), `${SITE} has no index.html: build the site first (make web)`);
  const server = await serve(SITE);
  after(() => server.close());
  return server;
}

/** The browser; closed after the tests of the file. */
export async function browser() {
  const opened = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
  after(() => opened.close());
  return opened;
}

/**
 * A page in a context of its own, which knows nothing of earlier ones.
 * @param {import('playwright-core').Browser} chrome
 * @param {{origin: string}} server
 * @param {{viewport?: object, colorScheme?: 'dark' | 'light', hasTouch?: boolean, script?: () => void,
 *   mayFail?: RegExp}} options script: run in the page before its own; mayFail: console errors that the test expects
 */
export async function fresh(chrome, server, { script, mayFail, ...options } = {}) {
  const context = await chrome.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const wrong = [];
  const note = (what) => {
    if (!mayFail?.test(what)) wrong.push(what);
  };
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== server.origin) note(`a request leaves the origin: ${url}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => note(`uncaught: ${error.error().stack ?? error.error()}`));
  if (script) await context.addInitScript(script);
  const page = await context.newPage();
  return {
    page,
    context,
    /** Ends the page; fails if anything went wrong on it. */
    async end() {
      await context.close();
      assert.deepEqual(wrong, []);
    },
  };
}

/** build/web-screens/NAME.png, for a person to look at. */
export async function screenshot(page, name, options = {}) {
  mkdirSync(SCREENS, { recursive: true });
  await page.screenshot({ path: join(SCREENS, `${name}.png`), ...options });
}
