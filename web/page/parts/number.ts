// SPDX-License-Identifier: Apache-2.0
// number: numbers as a person reads them.

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function superscript(n: number): string {
  const digits = [...String(Math.abs(n))].map((d) => SUPERSCRIPTS[Number(d)]).join('');
  return (n < 0 ? '⁻' : '') + digits;
}

/** A minus sign as wide as a plus sign, and no zeros after the last digit that counts. */
function tidy(text: string): string {
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short.replace('-', '−');
}

/** "3.2×10⁻⁷"; a mantissa of 1 is left out where the digits allow: "10⁶". */
function scientific(value: number, digits: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(digits - 1).split('e');
  const power = `10${superscript(Number(exponent))}`;
  const factor = tidy(mantissa);
  if (factor === '1') return power;
  return factor === '−1' ? `−${power}` : `${factor}×${power}`;
}

/** With that many significant digits (default 3); integers below a million with all of theirs. */
export function number(value: number, digits = 3): string {
  if (Number.isNaN(value)) return 'not defined';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return scientific(value, digits);
  if (Number.isInteger(value)) return tidy(String(value));
  const whole = Math.max(digits, size < 1 ? 1 : Math.floor(Math.log10(size)) + 1);
  return tidy(value.toPrecision(whole));
}

/** "91.7 ms"; the space does not break. A unit of "1" or "" is left out. */
export function withUnit(value: number, unit = '', digits = 3): string {
  const text = number(value, digits);
  return unit === '' || unit === '1' || Number.isNaN(value) ? text : `${text}\u00a0${unit}`;
}

/** "12.3 KB": kilobytes of 1000 bytes. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} bytes`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let size = count / 1000;
  let at = 0;
  for (; size >= 999.5 && at < units.length - 1; at++) size /= 1000;
  return withUnit(size, units[at]);
}
