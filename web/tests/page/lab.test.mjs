// SPDX-License-Identifier: Apache-2.0
// The lab: experiments run, sliders and the editor change them, what is wrong is said at its place.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { cfpc, specOf } from '../package.mjs';
import { choose, edit, openLab, resultShown, run, slideAndRun } from './acts.mjs';
import { ROOT, browser, fresh, screenshot, site } from './harness.mjs';

const server = await site();
const chrome = await browser();

test('pursuit runs at once, and all its claims hold', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  assert.match(await page.locator('#lab-outcome').textContent(), /exit with 0/);
  const rows = await page.locator('#lab-claims tbody tr').allTextContents();
  assert.ok(rows.length >= 10 && rows.every((row) => /holds/.test(row)), rows.join('\n'));
  await screenshot(page, 'lab', { fullPage: true });
  await end();
});

test('experiments have the published result in this browser, bit for bit; with another setting no hash is expected', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  const hash = page.locator('#lab-hash');
  const published = Object.fromEntries(
    [...readFileSync(`${ROOT}/experiments/HASHES`, 'utf8').matchAll(/^([\w-]+) (\w{16})$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
  const quick = ['pursuit', 'kernel', 'posture', 'vor'];
  // With the others it takes minutes. What no page can run, or is made for the tests, is left out.
  const all = Object.keys(published).filter((name) => !/^purkinje|diverged$/.test(name));
  if (process.env.CFPC_EVERY_EXPERIMENT) page.setDefaultTimeout(900_000);
  for (const name of process.env.CFPC_EVERY_EXPERIMENT ? all : quick) {
    await choose(page, name);
    await run(page);
    assert.equal(await hash.textContent(), `Its hash is ${published[name]}: the published result, bit for bit.`);
  }
  await choose(page, 'pursuit');
  await edit(page, 'delay_ms: 50', 'delay_ms: 49');
  await run(page);
  assert.match(await hash.textContent(), /^Its hash is [0-9a-f]{16}\.$/);
  await end();
});

test('every experiment of `cfpc list` is offered, and its spec is good', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  const names = await page.locator('#lab-experiment option').evaluateAll((all) => all.map(({ value }) => value));
  assert.equal(names.length, 19);
  for (const name of names) {
    await choose(page, name);
    assert.equal(await page.locator('#lab-message').textContent(), '', name);
    await page.locator('#lab-stop').evaluate((button) => button.click()); // a short run may have ended: no wait for it
  }
  await end();
});

test('a slider changes the number in the spec where it is written, and the result', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  const before = await resultShown(page);
  const text = await page.locator('#lab-editor').inputValue();
  const slider = page.locator('[data-path="loop.delay_ms"] input[type=range]');
  await slideAndRun(page, 'loop.delay_ms', 'ArrowRight');
  const value = await slider.inputValue();
  assert.equal(await page.locator('#lab-editor').inputValue(), text.replace(/delay_ms: 50\b/, `delay_ms: ${value}`));
  const now = await resultShown(page);
  assert.notDeepEqual(now.figures, before.figures);
  assert.notEqual(now.measures, before.measures);
  await end();
});

test('a slider can be added for any number of the spec', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  await page.locator('#lab-more-sliders summary').click();
  await page.locator('#lab-key-filter').fill('basis width');
  const path = await page.locator('#lab-key').inputValue();
  await page.locator('#lab-key-add').click();
  const before = await resultShown(page);
  await slideAndRun(page, path, 'ArrowLeft');
  assert.notEqual((await resultShown(page)).measures, before.measures);
  await end();
});

test('an unknown key is underlined at its place, with the sentence of the command', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  await edit(page, 'delay_ms', 'dealy_ms');
  const message = page.locator('#lab-message');
  await message.getByText(/unknown key 'dealy_ms' in the loop; did you mean 'delay_ms'\?/).waitFor();
  assert.equal(await page.locator('#lab-underline mark').textContent(), 'dealy_ms');
  assert.equal(await page.locator('#lab-editor').getAttribute('aria-invalid'), 'true');
  const line =
    (await page.locator('#lab-editor').inputValue()).split('\n').findIndex((each) => each.includes('dealy_ms')) + 1;
  assert.equal(await page.locator('#lab-gutter .wrong').textContent(), String(line));
  assert.ok(await page.locator('#lab-run').isDisabled(), 'a bad spec can be run');
  await page.locator('#lab-jump').click();
  assert.equal(
    await page.locator('#lab-editor').evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd)),
    'dealy_ms',
  );
  await screenshot(page, 'lab-bad-spec');
  await edit(page, 'dealy_ms', 'delay_ms');
  await page.waitForFunction(() => document.querySelector('#lab-message').textContent === '');
  await end();
});

test('text that is no YAML is refused at its place', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  await edit(page, 'loop:', 'loop: [');
  await page.waitForFunction(() => document.querySelector('#lab-message').textContent !== '');
  await page.locator('#lab-gutter .wrong').waitFor();
  await end();
});

test('a rule that diverges: the page says so, and goes on', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  await edit(
    page,
    /rate_fraction: [\d.]+/.exec(await page.locator('#lab-editor').inputValue())[0],
    'rate_fraction: 1000000',
  );
  await page.waitForFunction(() => !document.querySelector('#lab-run').disabled);
  await run(page);
  assert.match(await page.locator('#lab-outcome').textContent(), /diverge/);
  const { figures } = await resultShown(page);
  assert.ok(
    figures.some((words) => /diverge/.test(words)),
    'no figure says it',
  );
  await screenshot(page, 'lab-diverged', { fullPage: true });
  await page.locator('#lab-reset').click();
  await page
    .locator('#lab-outcome')
    .getByText(/exit with 0/)
    .waitFor();
  await end();
});

// The deadline of a minute, as the worker is told it, is two seconds.
const impatient = () => {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    const [spec, options] = message.args ?? [];
    const isRun = options?.deadlineMs === 60_000;
    return post.call(this, isRun ? { ...message, args: [spec, { ...options, deadlineMs: 6000 }] } : message, ...rest);
  };
};

test('a run that takes too long stops; what had time for is run by one click, and is that spec with fewer trials', async () => {
  const { page, end } = await fresh(chrome, server, { script: impatient });
  await openLab(page, server);
  await edit(page, 'mode: batch, trials: 50,', 'mode: online, trials: 99000,');
  await page.locator('#lab-run:enabled').click();
  await page
    .locator('#lab-state')
    .getByText(/^\S+: \d+ of \d+, about .+ left$/)
    .waitFor();
  await page
    .locator('#lab-late-says')
    .getByText(/^The run was stopped after 6 s, at \d+ %\. The last result stays\.$/)
    .waitFor();
  await page
    .locator('#lab-whole')
    .getByText(/^Run all of it, about /)
    .waitFor();
  await screenshot(page, 'lab-late');
  const [, trials] = /^Run (\d+) trials$/.exec(await page.locator('#lab-fewer').textContent());
  await page.locator('#lab-fewer').click();
  await page
    .locator('#lab-hash')
    .getByText(/^Its hash is [0-9a-f]{16}\.$/)
    .waitFor();
  const text = await page.locator('#lab-editor').inputValue();
  assert.match(text, new RegExp(`mode: online, trials: ${trials},`));
  assert.ok(!(await page.locator('#lab-late').isVisible()));
  const { hash } = cfpc.run(specOf('pursuit'), { online: true, trials: Number(trials) });
  assert.equal(await page.locator('#lab-hash').textContent(), `Its hash is ${hash}.`);
  await end();
});

test('more memory than there is: the page says so in one line, and works on', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  const { text } = specOf('purkinje');
  await page.locator('#lab-editor').fill(text.replace(/sizes: .*/, 'sizes: [4000000]').replace(/^claims:[\s\S]*/m, ''));
  await page
    .locator('#lab-about')
    .getByText(/purkinje|Purkinje/)
    .waitFor();
  await page.locator('#lab-run:enabled').click();
  await page.locator('#status.shown.error').getByText('purkinje.yaml: memory ran out').waitFor();
  await page.locator('#lab-reset').click();
  await page.waitForFunction(() => document.querySelector('#lab-message').textContent === '');
  await run(page);
  await end();
});

test('two runs are compared: the kept curves lie behind, and what differs is listed', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  await page.locator('#lab-keep').click();
  await slideAndRun(page, 'loop.delay_ms', 'ArrowRight');
  await page.locator('#lab-differences td').first().waitFor();
  assert.match((await page.locator('#lab-figures .legend').allTextContents()).join(), /kept run/);
  await screenshot(page, 'lab-compared', { fullPage: true });
  await end();
});

test('CSV, SVG and the spec are downloaded, with the numbers that are shown', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  const download = async (locator) => {
    const [file] = await Promise.all([page.waitForEvent('download'), locator.click()]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
  };
  const spec = await download(page.locator('#lab-spec'));
  assert.equal(spec.name, 'pursuit.yaml');
  assert.equal(spec.text, await page.locator('#lab-editor').inputValue());
  const curves = await download(page.locator('#lab-curves-csv'));
  assert.equal(curves.text.trim().split('\n').length, 51, 'a header and 50 trials');
  const figure = page.locator('#lab-figures .figure').first();
  const csv = await download(figure.getByRole('button', { name: /CSV/ }));
  assert.ok(csv.text.split('\n').length > 100);
  const svg = await download(figure.getByRole('button', { name: /SVG/ }));
  assert.match(svg.name, /^pursuit-.+\.svg$/);
  assert.match(svg.text, /^<\?xml|^<svg/);
  const title = await figure.locator('h3').textContent();
  assert.ok(svg.text.includes(title.replace(/&/g, '&amp;').slice(0, 20)), 'the SVG has another title');
  await end();
});

test('a certificate is given before the run', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  await page.locator('#lab-certify:enabled').click();
  await page.locator('#lab-verdict').waitFor();
  assert.match(await page.locator('#lab-verdict').getAttribute('data-verdict'), /./);
  await end();
});

test('a run can be stopped; the last result stays', async () => {
  const { page, end } = await fresh(chrome, server);
  await openLab(page, server);
  await choose(page, 'matched-delay');
  await page.locator('#lab-run:enabled').click();
  await page.locator('#lab-stop:enabled').click();
  await page
    .locator('#lab-state')
    .getByText(/Stopped/)
    .waitFor();
  assert.match(await page.locator('#lab-summary').textContent(), /pursuit/);
  await end();
});
