// SPDX-License-Identifier: Apache-2.0
// places: offsets of a text as lines and columns, and back. Both count from 1, in characters: a letter
// that JavaScript holds as two units is one.

export interface At {
  line: number;
  column: number;
}

/** How many of the ascending numbers are below a limit. */
function countBelow(numbers: number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function offsetsOf(text: string, what: RegExp): number[] {
  return Array.from(text.matchAll(what), (match) => match.index ?? 0);
}

/** Looked up in a list of line ends and of letters without a column, so that a long line takes no longer. */
export class Places {
  private readonly ends: number[];
  /** Second units of letters, and byte order marks, which parsers do not count. */
  private readonly widthless: number[];

  constructor(private readonly text: string) {
    this.ends = offsetsOf(text, /\r\n|\r|\n/g).map((at) => (text.startsWith('\r\n', at) ? at + 1 : at));
    this.widthless = offsetsOf(text, /[\ud800-\udbff][\udc00-\udfff]|\ufeff/g).map((at) =>
      text[at] === '\ufeff' ? at : at + 1,
    );
  }

  /** Where an offset is. */
  at(offset: number): At {
    const line = countBelow(this.ends, offset);
    const start = this.startOf(line);
    const skipped = countBelow(this.widthless, offset) - countBelow(this.widthless, start);
    return { line: line + 1, column: offset - start - skipped + 1 };
  }

  /** The offset of a place; that of the nearest if the text has no such line or column. */
  offset({ line, column }: At): number {
    const row = Math.min(Math.max(line, 1), this.ends.length + 1) - 1;
    let at = this.startOf(row);
    let left = Math.max(column, 1) - 1;
    while (left > 0 && at < this.endOf(row)) {
      at += this.text.codePointAt(at)! > 0xffff ? 2 : 1;
      if (this.text[at - 1] !== '\ufeff') left--;
    }
    while (this.text[at] === '\ufeff' && at < this.endOf(row)) at++;
    return at;
  }

  private startOf(row: number): number {
    return row === 0 ? 0 : this.ends[row - 1]! + 1;
  }

  private endOf(row: number): number {
    const end = this.ends[row] ?? this.text.length;
    return row < this.ends.length && this.text.startsWith('\r\n', end - 1) ? end - 1 : end;
  }
}

/** Where a place of a message is in the text, to select it in an editor. */
export function placeToOffset(text: string, line: number, column: number): number {
  return new Places(text).offset({ line, column });
}
