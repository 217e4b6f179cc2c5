// SPDX-License-Identifier: Apache-2.0
// csv: a figure's numbers as a table for other programs. 17 significant digits give back the same double.
import type { Figure } from './figure';

/** As "%.17g" of C; "nan" where there is no value, as in the command's files. */
export function digits17(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '', exponent] = value.toPrecision(17).split('e');
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return exponent === undefined ? short : `${short}e${exponent}`;
}

/** "error (deg)" gives "deg"; without brackets at the end: "". */
function unitOf(label: string): string {
  return /\(([^()]*)\)\s*$/.exec(label)?.[1] ?? '';
}

function cell(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** One column per curve after that of x; the header has their units. */
export function header(figure: Figure): string[] {
  const unit = unitOf(figure.y.label);
  const named = (name: string) => (unit === '' || unitOf(name) !== '' ? name : `${name} (${unit})`);
  return [figure.x.label, ...figure.series.map((s) => named(s.name))];
}

export function csv(figure: Figure): string {
  const lines = [header(figure).map(cell).join(',')];
  for (let i = 0; i < figure.xs.length; i++) {
    const row = [figure.xs[i] as number, ...figure.series.map((s) => s.values[i] ?? NaN)];
    lines.push(row.map(digits17).join(','));
  }
  return `${lines.join('\n')}\n`;
}
