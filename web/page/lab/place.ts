// SPDX-License-Identifier: Apache-2.0
// place: from a line and a column of a message to characters of the text.
import type { Place } from '../../cfpc/src/types';

export interface Span {
  from: number;
  to: number;
}

// Where a line begins and ends, without its line break; a line behind the last is the last.
function lineAt(text: string, line: number): Span {
  let from = 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', from);
    if (end < 0) break;
    from = end + 1;
  }
  const end = text.indexOf('\n', from);
  return { from, to: end < 0 ? text.length : end };
}

/** The word that a message is about: from its place to what ends a value in YAML. At least one character, unless the line ends there. */
export function spanOf(text: string, place: Pick<Place, 'line' | 'column'>): Span {
  const line = lineAt(text, place.line);
  const characters = Array.from(text.slice(line.from, line.to)); // columns count characters, not UTF-16 units
  const before = characters.slice(0, Math.max(0, place.column - 1)).join('');
  const rest = text.slice(line.from + before.length, line.to);
  const word = /^(?:[^\s,:[\]{}#]+|.)/u.exec(rest)?.[0] ?? '';
  const from = Math.min(line.from + before.length, line.to);
  return { from, to: from + word.length };
}

export function lineCount(text: string): number {
  return text.split('\n').length;
}
