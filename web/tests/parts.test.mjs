// SPDX-License-Identifier: Apache-2.0
// The page's small parts: numbers, CSV, table, ticks, legend, looks, the queue of one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { bundled } from './bundled.mjs';
import { sine } from './figures.mjs';

const { number, withUnit, bytes } = await bundled('page/parts/number.ts');
const { csv, digits17 } = await bundled('page/parts/csv.ts');
const { rowsOf } = await bundled('page/parts/table.ts');
const { ticks, yEnds, xEnds } = await bundled('page/parts/scale.ts');
const { entries } = await bundled('page/parts/legend.ts');
const { latest } = await bundled('page/parts/latest.ts');
const { words } = await bundled('page/parts/words.ts');
const { LOOKS, PAPER } = await bundled('page/parts/look.ts');

test('numbers have three digits that count, and a proper minus', () => {
  const cases = [
    [91.7234, '91.7'],
    [0.045512, '0.0455'],
    [-0.5, '−0.5'],
    [1234.56, '1235'],
    [100, '100'],
    [0, '0'],
    [-0, '0'],
    [0.00004321, '4.32×10⁻⁵'],
    [1e6, '10⁶'],
    [-1e-7, '−10⁻⁷'],
    [123456, '123456'],
    [NaN, 'not defined'],
    [Infinity, '∞'],
    [-Infinity, '−∞'],
    [99.96, '100'],
    [0.9996, '1'],
  ];
  for (const [value, text] of cases) assert.equal(number(value), text);
  assert.equal(withUnit(91.72, 'ms'), '91.7\u00a0ms');
  assert.equal(withUnit(0.5, '1'), '0.5');
  assert.equal(bytes(999), '999 bytes');
  assert.equal(bytes(1_234_567_890), '1.23\u00a0GB');
});

test('a CSV file gives every double back, bit for bit', () => {
  const values = [0.1, 1 / 3, Math.PI * 1e-300, -1.7976931348623157e308, 5e-324, 123456789012345680000, -0, 2];
  const figure = { ...sine(), xs: values.map((_, i) => i), series: [{ name: 'a, "b"', role: 1, values }] };
  const [head, ...rows] = csv(figure).trimEnd().split('\n');
  assert.equal(head, 'time (s),"a, ""b"" (deg)"');
  for (const [i, row] of rows.entries()) assert.ok(Object.is(Number(row.split(',')[1]), values[i]), row);
  assert.equal(digits17(NaN), 'nan');
  assert.equal(digits17(0.1), '0.10000000000000001');
  assert.equal(digits17(2), '2');
  assert.equal(digits17(1e22), '1e+22');
});

test('a CSV file has all rows, a table 20 of them, with the first and the last', () => {
  const figure = sine();
  assert.equal(csv(figure).trimEnd().split('\n').length, 1002);
  const { cells, note, header } = rowsOf(figure);
  assert.equal(cells.length, 20);
  assert.equal(cells[0][0], '0');
  assert.equal(cells.at(-1)[0], '1');
  assert.equal(new Set(cells.map(([x]) => x)).size, 20);
  assert.match(note, /20 of 1001/);
  assert.deepEqual(header, ['time (s)', 'whole (deg)', 'half (deg)', 'dots (deg)']);
  assert.equal(cells[9][2], 'not defined');
  const short = { ...figure, xs: [1, 2], series: [{ name: 'a', role: 1, values: [3, 4] }] };
  assert.deepEqual(rowsOf(short).cells, [
    ['1', '3'],
    ['2', '4'],
  ]);
  assert.equal(rowsOf(short).note, '');
});

test('ticks are round, inside, ascending, and about as many as asked', () => {
  const linear = { label: '' };
  assert.deepEqual(ticks(linear, [-0.05, 1.05], 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks({ label: '', log: true }, [1e-4, 1], 6), [1e-4, 1e-3, 1e-2, 0.1, 1]);
  for (const [min, max] of [
    [0, 1e-9],
    [-3e7, 4e7],
    [0.999, 1.001],
    [1e-300, 1e300],
  ])
    for (const log of [false, true]) {
      if (log && min <= 0) continue;
      const found = ticks({ label: '', log }, [min, max], 6);
      assert.ok(found.length >= 2 && found.length <= 13, `${min} ${max} ${log}: ${found}`);
      const slack = 1e-9 * Math.max(Math.abs(min), Math.abs(max));
      for (const [i, t] of found.entries())
        assert.ok(t >= min - slack && t <= max + slack && (i === 0 || t > found[i - 1]));
    }
});

test('an axis ends where the figure says, else around data and horizontal marks', () => {
  const figure = sine();
  assert.deepEqual(xEnds(figure), [0, 1]);
  figure.marks = [{ y: 3, says: 'far' }];
  const [min, max] = yEnds(figure);
  assert.ok(Math.abs(min + 1.2) < 1e-12 && Math.abs(max - 3.2) < 1e-12);
  assert.deepEqual(yEnds({ ...figure, y: { label: '', min: -2, max: 2 } }), [-2, 2]);
  const beyond = yEnds({ ...figure, y: { label: '', min: 10 } });
  assert.ok(beyond[0] === 10 && beyond[1] > 10);
});

test('many curves that look alike share one entry of the legend', () => {
  const bases = Array.from({ length: 20 }, (_, i) => ({ name: `basis ${i + 1}`, role: 'faint', values: [] }));
  const listed = entries({ ...sine(), series: [...bases, ...sine().series] });
  assert.deepEqual(
    listed.map((e) => e.name),
    ['basis 1 … basis 20', 'whole', 'half', 'dots'],
  );
  assert.equal(listed[0].series.length, 20);
});

function luminance(colour) {
  const [r, g, b] = [1, 3, 5]
    .map((i) => parseInt(colour.slice(i, i + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test('every curve has a contrast of 3:1 with both backgrounds, quiet text 4.5:1', () => {
  for (const theme of ['light', 'dark']) {
    const { background, quiet, ink } = PAPER[theme];
    for (const [role, look] of Object.entries(LOOKS))
      assert.ok(contrast(look[theme], background) >= 3, `${role}, ${theme}: ${contrast(look[theme], background)}`);
    assert.ok(contrast(quiet, background) >= 4.5 && contrast(ink, background) >= 7);
  }
});

test('rules beside each other differ in their dashes, not in their colour only', () => {
  const dashes = ['learned', 1, 2, 3, 4, 5, 6].map((role) => LOOKS[role].dash.join(' '));
  assert.equal(new Set(dashes).size, dashes.length);
});

test('style.css has the colours of look.ts, in all three of its places', () => {
  const style = readFileSync(new URL('../page/styles/theme.css', import.meta.url), 'utf8');
  const places = style.split('--page:').slice(1); // light, dark by choice, dark by preference
  assert.equal(places.length, 3);
  places.forEach((text, i) => {
    const theme = i === 0 ? 'light' : 'dark';
    for (const [role, look] of Object.entries(LOOKS))
      assert.ok(text.includes(`--role-${role}: ${look[theme]};`), `${role} ${i}`);
    const { background, ink, quiet, grid } = PAPER[theme];
    for (const [name, colour] of Object.entries({ card: background, ink, quiet, grid }))
      assert.ok(text.includes(`--${name}: ${colour};`), `${name} ${i}`);
  });
});

test('of the calls made while one runs only the newest is run, and a failed one does not stop the next', async () => {
  const begun = [];
  const ends = [];
  const call = latest((n) => {
    begun.push(n);
    return new Promise((resolve, reject) => ends.push(() => (n === 1 ? reject(new Error('one')) : resolve(n * 10))));
  });
  const results = [call(1), call(2), call(3)];
  assert.deepEqual(begun, [1]);
  ends[0]();
  await assert.rejects(results[0], /one/);
  assert.equal(await results[1], undefined);
  assert.deepEqual(begun, [1, 3]);
  const last = call(4);
  ends[1]();
  assert.equal(await results[2], 30);
  assert.deepEqual(begun, [1, 3, 4]);
  ends[2]();
  assert.equal(await last, 40);
});

test('words of vertical marks stay in the frame and never cover each other', () => {
  const overlaps = (placed, widths) =>
    placed.each.some((one, i) =>
      placed.each.some(
        (other, j) => i < j && one.row === other.row && one.x < other.x + widths[j] && other.x < one.x + widths[i],
      ),
    );
  for (const [at, widths] of [
    [
      [100, 120, 300],
      [80, 80, 80],
    ],
    [
      [10, 290],
      [70, 150],
    ],
    [[150], [200]],
  ]) {
    const placed = words(at, widths, 0, 300);
    assert.equal(placed.turned, false);
    assert.equal(overlaps(placed, widths), false);
    for (const [i, { x }] of placed.each.entries()) assert.ok(x >= 0 && x + widths[i] <= 300, `${x} leaves the frame`);
  }
  // Too many for three rows: each is written along its line.
  const many = Array.from({ length: 9 }, (_, i) => 20 + 30 * i);
  const turned = words(
    many,
    many.map(() => 140),
    0,
    300,
  );
  assert.ok(turned.turned);
  assert.deepEqual(
    turned.each.map(({ x }) => x),
    many,
  );
});
