// SPDX-License-Identifier: Apache-2.0
// ranges: between which values, and in which steps, a number of a spec is worth trying: for a slider.

/** A number of a spec. */
export interface NumberAt {
  /**
   * As `--set` takes it: loop.controller.kp, rules.wh.delay_ms, task.points.1.0. Of a spec with `cases`, what is
   * below `cases` and `rules` can be replaced but not set: cases are expanded first.
   */
  path: string;
  value: number;
  /** From 1, in characters. */
  line: number;
  column: number;
  /** Offsets of its digits in the text. */
  from: number;
  to: number;
}

export interface Range {
  min: number;
  max: number;
  step: number;
}

/** Numbers that count something (docs/spec.md: whole number). */
const WHOLE =
  /(^|_)(seed|trials?|threads|states|whitening|synapses|runs|functions|evaluations|counts?|columns|cells|block|sizes)$/;

const lastKey = (path: string): string =>
  path
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .pop() ?? '';

// ---- units -----------------------------------------------------------------------------------------

const UNITS: [RegExp, string][] = [
  [/_per_s$/, '1/s'],
  [/(^|_)ms$/, 'ms'],
  [/_s$/, 's'],
  [/(^|_)hz$/, 'Hz'],
  [/_turns$/, 'turns'],
];

/** What a path means to a person: its key in words, and its unit, '' if it has none. */
export function describe(path: string): { label: string; unit: string } {
  const key = lastKey(path);
  const [ending, unit] = UNITS.find(([end]) => end.test(key)) ?? [/$/, ''];
  const words = key.replace(ending, '').replace(/_/g, ' ').trim();
  return { label: words || key, unit };
}

// ---- steps -----------------------------------------------------------------------------------------

/** Decimals of a number as it is written shortest: 0.25 has 2, 1e-3 has 3. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(Math.abs(value)).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}

/** Without what binary fractions add at the end of digits. */
const clean = (value: number): number => Number(value.toPrecision(12));

const powerOf = (value: number): number => 10 ** Math.floor(Math.log10(value) + 1e-9);

/** 1, 2 or 5 times a power of ten: the largest up to a value. */
function niceStep(value: number): number {
  const power = powerOf(value);
  const digit = [5, 2].find((one) => one * power <= value * (1 + 1e-9)) ?? 1;
  return clean(digit * power);
}

/** Ends of a range, times a power of ten. */
const ENDS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The nearest of them at or below a value, and at or above. */
function niceEnds(low: number, high: number): { min: number; max: number } {
  const below = ENDS.filter((end) => end * powerOf(low) <= low * (1 + 1e-9)).pop() ?? 1;
  const above = ENDS.find((end) => end * powerOf(high) >= high * (1 - 1e-9)) ?? 10;
  return { min: clean(below * powerOf(low)), max: clean(above * powerOf(high)) };
}

const isMultiple = (value: number, step: number): boolean =>
  step === 0 || Math.abs(value / step - Math.round(value / step)) < 1e-6;

/** A nice step of which the value is a multiple, so that a slider can stand on it; itself a multiple of the least. */
function stepFor(value: number, width: number, least: number): number {
  const widest = niceStep(width / 50);
  const finest = least > 0 ? least : Math.min(widest, clean(10 ** -decimalsOf(value)));
  for (let step = widest; step > finest; step = niceStep(step * 0.6))
    if (isMultiple(value, step) && isMultiple(step, least)) return step;
  return finest;
}

/** The ends on the grid of the steps, with the value between them. */
function onGrid({ min, max }: { min: number; max: number }, step: number): Range {
  const low = Math.ceil(min / step - 1e-6) * step;
  const high = Math.floor(max / step + 1e-6) * step;
  return { min: clean(low), max: clean(Math.max(high, low + step)), step };
}

// ---- ranges ----------------------------------------------------------------------------------------

function ofZero(key: string, grid: number): Range {
  if (grid > 0) return { min: 0, max: clean(20 * grid), step: grid };
  if (WHOLE.test(key)) return { min: 0, max: 10, step: 1 };
  return /_ms$/.test(key) ? { min: 0, max: 100, step: 1 } : { min: 0, max: 1, step: 0.01 };
}

function ofPositive(value: number, least: number): Range {
  const ends = niceEnds(value / 4, value * 4);
  return onGrid(ends, stepFor(value, ends.max - ends.min, least));
}

/** A fraction of all is at most 1; a learning rate diverges from 2 on. */
function ofFraction(key: string, value: number): Range | undefined {
  const max = key === 'rate_fraction' ? 2 : 1;
  if (!/_fraction$/.test(key) || value <= 0 || value > max) return undefined;
  const step = stepFor(value, max, 0);
  return { min: step, max, step };
}

/** The step of the simulation, of which delays and the length of a trial must be multiples. */
function gridOf(key: string, among: NumberAt[]): number {
  const step = among.find(({ path }) => path === 'step_ms')?.value ?? 0;
  if (/(^|_)delay_ms$/.test(key)) return step;
  return key === 'trial_s' ? step / 1000 : 0;
}

/** Counts and milliseconds are whole, and so are numbers from 10 on that are written so. */
function isWhole(key: string, value: number): boolean {
  return Number.isInteger(value) && (Math.abs(value) >= 10 || WHOLE.test(key) || /_ms$/.test(key));
}

/**
 * Values worth trying instead of a number: a quarter to four times it, on round ends. The number is one of
 * them. Given the other numbers of the spec, delays are whole steps.
 */
export function rangeOf(at: Pick<NumberAt, 'path' | 'value'>, among: NumberAt[] = []): Range {
  const key = lastKey(at.path);
  const size = Math.abs(at.value);
  const grid = gridOf(key, among);
  if (size === 0) return ofZero(key, grid);
  const least = grid > 0 && isMultiple(size, grid) ? grid : Number(isWhole(key, size));
  const range = ofFraction(key, at.value) ?? ofPositive(size, least);
  return at.value > 0 ? range : { min: -range.max, max: -range.min, step: range.step };
}
