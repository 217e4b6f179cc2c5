// SPDX-License-Identifier: Apache-2.0
// scale: the ends and the ticks of an axis, the same for plot.ts and svg.ts.
import type { Axis, Figure } from './figure';
import { number } from './number';

export type Ends = [min: number, max: number];

/** Whether an axis can show the value. */
export function shown(axis: Axis, value: number): boolean {
  return Number.isFinite(value) && (!axis.log || value > 0);
}

function extent(axis: Axis, columns: ArrayLike<number>[]): Ends | null {
  let min = Infinity;
  let max = -Infinity;
  for (const column of columns) {
    for (let i = 0; i < column.length; i++) {
      const value = column[i] as number;
      if (!shown(axis, value)) continue;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return min <= max ? [min, max] : null;
}

/** Room at both ends, so that no curve runs along the frame; an empty interval is widened. */
function padded(axis: Axis, [min, max]: Ends, room: number): Ends {
  if (axis.log) {
    const factor = min === max ? 3 : (max / min) ** room;
    return [min / factor, max * factor];
  }
  const size = Math.max(Math.abs(min), Math.abs(max)) || 1;
  const more = max - min > 1e-12 * size ? (max - min) * room : 0.1 * size;
  return [min - more, max + more];
}

function ends(axis: Axis, columns: ArrayLike<number>[], room: number): Ends {
  const found = extent(axis, columns) ?? (axis.log ? [0.1, 10] : [0, 1]);
  const wide = room === 0 && found[0] < found[1] ? found : padded(axis, found as Ends, room);
  const min = axis.min ?? wide[0];
  const max = axis.max ?? wide[1];
  if (min < max) return [min, max];
  // One end is fixed and all of the data is beyond it.
  return axis.min !== undefined ? [min, padded(axis, [min, min], 0.05)[1]] : [padded(axis, [max, max], 0.05)[0], max];
}

export function xEnds(figure: Figure): Ends {
  return ends(figure.x, [figure.xs], 0);
}

/** Horizontal marks count: a limit should be seen. */
export function yEnds(figure: Figure): Ends {
  const marks = (figure.marks ?? []).flatMap((mark) => (mark.y === undefined ? [] : [mark.y]));
  return ends(figure.y, [...figure.series.map((s) => s.values), marks], 0.05);
}

function linearTicks([min, max]: Ends, count: number): number[] {
  const raw = (max - min) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const ratio = raw / power; // from 1 to 10: the nearest of 1, 2, 5 and 10 by its factor
  const step = power * (ratio < 1.5 ? 1 : ratio < 3.2 ? 2 : ratio < 7 ? 5 : 10);
  const ticks: number[] = [];
  for (let i = Math.ceil(min / step - 1e-9); i * step <= max + step * 1e-9; i++) {
    // Rounded to the digits of the step: 0.3, not 0.30000000000000004.
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}

function logTicks([min, max]: Ends, count: number): number[] {
  const low = Math.ceil(Math.log10(min) - 1e-9);
  const high = Math.floor(Math.log10(max) + 1e-9);
  const every = Math.max(1, Math.ceil((high - low + 1) / Math.max(count, 1)));
  const inside = (t: number) => t >= min * (1 - 1e-9) && t <= max * (1 + 1e-9);
  const decades: number[] = [];
  for (let n = Math.ceil(low / every) * every; n <= high; n += every) decades.push(Number(`1e${n}`));
  if (high - low >= 2) return decades.filter(inside);
  const finer: number[] = [];
  for (let n = low - 1; n <= high; n++) for (const m of ['1', '2', '5']) finer.push(Number(`${m}e${n}`));
  const fine = finer.filter(inside);
  return fine.length > 1 ? fine : linearTicks([min, max], count).filter((t) => t > 0);
}

/** About count values, in steps of 1, 2 or 5 times a power of ten. */
export function ticks(axis: Axis, ends: Ends, count: number): number[] {
  return axis.log ? logTicks(ends, count) : linearTicks(ends, count);
}

export function tickLabel(value: number): string {
  return number(value, 6);
}
