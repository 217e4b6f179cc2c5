// SPDX-License-Identifier: Apache-2.0
// words: where the words beside vertical lines of a figure stand, so that none covers another or leaves
// the frame: beside their lines in up to three rows, or else along their lines.

const GAP = 5;
const ROWS = 3;

export interface Word {
  /** Where the word begins: its left end, or where its line is if it is turned. */
  x: number;
  /** 0: the highest. */
  row: number;
}

export interface Words {
  /** They are written along their lines, upwards. */
  turned: boolean;
  each: Word[];
}

/** The left end of a word: right of its line if there is room, else left of it, else as far left as it must be. */
function beside(at: number, width: number, left: number, right: number): number {
  if (at + GAP + width <= right) return at + GAP;
  if (at - GAP - width >= left) return at - GAP - width;
  return Math.max(left, right - width);
}

/** For lines at these places and words of these widths, in pixels; a width of 0: no word. */
export function words(at: number[], widths: number[], left: number, right: number): Words {
  const ends: [number, number][][] = [];
  const each = at.map((place, i): Word => {
    const width = widths[i] ?? 0;
    const x = beside(place, width, left, right);
    if (width === 0) return { x, row: 0 };
    let row = 0;
    while (ends[row]?.some(([from, to]) => x < to + GAP && x + width > from - GAP)) row++;
    ends[row] = [...(ends[row] ?? []), [x, x + width]];
    return { x, row };
  });
  if (ends.length <= ROWS) return { turned: false, each };
  return { turned: true, each: at.map((x) => ({ x, row: 0 })) };
}

const ROW_HEIGHT = 16;
/** The baseline of a row: from the top, or from the bottom where a horizontal line has its word near the top. */
export function baseline(row: number, top: number, bottom: number, lines: number[]): number {
  const taken = lines.some((y) => y >= top && y - top < 4 * ROW_HEIGHT);
  return taken ? bottom - 6 - row * ROW_HEIGHT : top + 13 + row * ROW_HEIGHT;
}
/** From a line to the baseline of a word that is turned: right of the line, or left of it at the right edge. */
export function turnedAt(x: number, right: number): number {
  return x + 14 <= right ? x + 13 : x - 4;
}
