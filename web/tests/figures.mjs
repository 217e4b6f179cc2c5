// SPDX-License-Identifier: Apache-2.0
// figures: figures that the tests of the page's parts share.

/** One period of a sine in 1001 values, a gap, and a curve that is drawn as points. */
export function sine() {
  const xs = Float64Array.from({ length: 1001 }, (_, i) => i / 1000);
  const values = xs.map((x) => Math.sin(2 * Math.PI * x));
  const broken = values.map((v, i) => (i > 400 && i < 600 ? NaN : v / 2));
  const dots = xs.map((_, i) => (i % 100 === 0 ? 0.25 : NaN));
  return {
    id: 'sine',
    title: 'A sine & its <half>',
    x: { label: 'time (s)' },
    y: { label: 'angle (deg)' },
    xs,
    series: [
      { name: 'whole', role: 'learned', values },
      { name: 'half', role: 'error', values: broken },
      { name: 'dots', role: 'o', values: dots, points: true },
    ],
    marks: [
      { x: 0.5, says: 'the middle' },
      { y: 0.75, says: 'a limit' },
    ],
    says: 'A sine of amplitude 1, and one of 0.5 with a gap.',
  };
}

/** A curve over decades, with values that a logarithmic axis cannot show. */
export function decades() {
  const xs = [1, 2, 3, 4, 5, 6];
  return {
    id: 'decades',
    title: 'Decades',
    x: { label: 'trial' },
    y: { label: 'rRMSE', log: true },
    xs,
    series: [{ name: 'fm-et', role: 'learned', values: [1, 0.1, 0, -1, 1e-3, 1e-4] }],
    says: '',
  };
}
