// SPDX-License-Identifier: Apache-2.0
// What svg.ts draws is the figure's numbers: read back from the file, within a pixel's tenth.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bundled } from './bundled.mjs';
import { decades, sine } from './figures.mjs';

const { svg } = await bundled('page/parts/svg.ts');
const { LOOKS } = await bundled('page/parts/look.ts');

/** The curves of a role: lists of points, one per run without a gap. */
function curves(text, role) {
  const drawing = text.slice(text.indexOf('<g clip-path'));
  const [, path] = new RegExp(`class="curve r-${role}" d="([^"]*)"`).exec(drawing);
  return path
    .split('M')
    .slice(1)
    .map((run) => run.split('L').map((point) => point.split(' ').map(Number)));
}

/** The plot's frame, from its clip. */
function frame(text) {
  const [left, top, width, height] = /<clipPath[^>]*><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/
    .exec(text)
    .slice(1)
    .map(Number);
  return { left, top, right: left + width, bottom: top + height };
}

/** Linear interpolation between the points of a run. */
function at(run, x) {
  const i = Math.min(
    Math.max(
      1,
      run.findIndex(([px]) => px >= x),
    ),
    run.length - 1,
  );
  const [[x0, y0], [x1, y1]] = [run[i - 1], run[i]];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

test('a drawn curve is the figure’s within 0.3 pixels, with far fewer points', () => {
  const figure = sine();
  const text = svg(figure);
  const { left, right, top, bottom } = frame(text);
  const [run] = curves(text, 'learned');
  assert.ok(run.length < 150, `${run.length} points`);
  // y covers the data's ends, -1 and 1, with 5 % of room.
  for (let i = 0; i <= 1000; i++) {
    const x = left + (i / 1000) * (right - left);
    const y = bottom - ((figure.series[0].values[i] + 1.1) / 2.2) * (bottom - top);
    assert.ok(Math.abs(at(run, x) - y) < 0.3, `at ${i}: ${at(run, x)} instead of ${y}`);
  }
});

test('NaN is a gap: two runs, which end where the gap begins', () => {
  const text = svg(sine());
  const { left, right } = frame(text);
  const runs = curves(text, 'error');
  assert.equal(runs.length, 2);
  const near = (x, share) => Math.abs(x - (left + share * (right - left))) < 0.1;
  assert.ok(near(runs[0].at(-1)[0], 0.4));
  assert.ok(near(runs[1][0][0], 0.6));
});

test('points are circles, one per value', () => {
  const text = svg(sine());
  const group = /<g class="p-o">(.*?)<\/g>/.exec(text)[1];
  assert.equal(group.match(/<circle/g).length, 11);
});

test('a value between two gaps is a dot: a line would not show it', () => {
  const text = svg({ ...sine(), xs: [0, 1, 2, 3, 4], series: [{ name: 'a', role: 1, values: [NaN, 2, NaN, 4, 5] }] });
  assert.equal(curves(text, 1).length, 1);
  assert.equal(text.slice(text.indexOf('<g clip-path')).match(/<circle/g).length, 1);
});

test('on a logarithmic axis equal factors are equal distances, and what is not positive is a gap', () => {
  const [first, second] = curves(svg(decades()), 'learned');
  assert.equal(first.length, 2);
  assert.equal(second.length, 2);
  const decade = first[1][1] - first[0][1];
  assert.ok(decade > 10);
  assert.ok(Math.abs(second[1][1] - second[0][1] - decade) < 0.2);
  assert.ok(Math.abs(second[0][1] - first[0][1] - 3 * decade) < 0.2);
});

test('text is escaped: what a spec names can break no file', () => {
  const figure = sine();
  figure.series[0].name = '</text><script>"&\u0001';
  const text = svg(figure);
  assert.ok(text.includes('&lt;/text&gt;&lt;script&gt;&quot;&amp;</text>'));
  assert.ok(!text.includes('<script'));
  assert.ok(!text.includes('\u0001'));
  assert.ok(text.includes('<title>A sine &amp; its &lt;half&gt;</title>'));
});

test('every role has a look of its own in the file, dashes included', () => {
  for (const [role, look] of Object.entries(LOOKS)) {
    const figure = { ...sine(), series: [{ name: 'a', role, values: [0, 1] }], xs: [0, 1] };
    const text = svg(figure, { theme: 'both' });
    assert.ok(text.includes(look.light) && text.includes(look.dark), role);
    assert.equal(text.includes(`stroke-dasharray:${look.dash.join(' ')}}`), look.dash.length > 0, role);
  }
});

test('nothing, one value, all the same, and huge values are drawn without a NaN', () => {
  const cases = [[], [1], [2, 2, 2], [NaN, NaN], [1e300, -1e300], [0, Infinity, 1]];
  for (const values of cases)
    for (const log of [false, true]) {
      const figure = {
        ...sine(),
        y: { label: 'y', log },
        xs: values.map((_, i) => i),
        series: [{ name: 'a', role: 1, values }],
      };
      const text = svg(figure);
      assert.ok(!/NaN|Infinity|undefined/.test(text.replace(/<title>.*<\/desc>/s, '')), `${values} ${log}`);
    }
});
