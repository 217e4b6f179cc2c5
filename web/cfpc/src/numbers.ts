// SPDX-License-Identifier: Apache-2.0
// numbers: every number of a spec, by the path that a setting takes, and the text with another in its
// place. Comments and layout stay as they are.
import { isMap, isScalar, isSeq, parseDocument, Scalar } from 'yaml';
import { Places } from './places';
import type { NumberAt } from './ranges';

export { describe, rangeOf, type NumberAt, type Range } from './ranges';

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** Texts, also where they look like numbers. */
const TEXTS = new Set(['name', 'title', 'says', 'label', 'file', 'measure']);

// ---- the tree --------------------------------------------------------------------------------------

interface Word {
  text: string;
  from: number;
}

/** A map, a list (without keys), or a scalar. */
interface Branch {
  key: string;
  word?: Word;
  isList: boolean;
  children: Branch[];
}

// Without types; keys that are there twice are for the lab to see.
const OPTIONS = { schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false } as const;

/** A scalar as it is written, behind its quote; undefined of an alias, or of a key that is no text. */
function wordOf(node: unknown): Word | undefined {
  if (node === null) return { text: '', from: 0 };
  if (!isScalar(node)) return undefined;
  const { source, range, type } = node as Scalar.Parsed;
  return { text: source, from: range[0] + (type === Scalar.PLAIN ? 0 : 1) };
}

/** What a node holds; undefined if a spec must not hold it. */
function branchOf(key: string, node: unknown): Branch | undefined {
  const isList = isSeq(node);
  if (!isList && !isMap(node)) {
    const word = wordOf(node);
    return word && { key, word, isList, children: [] };
  }
  const children = isList
    ? node.items.map((item) => branchOf('', item))
    : node.items.map((pair) => branchOf(wordOf(pair.key)?.text ?? '', pair.value));
  return children.includes(undefined) ? undefined : { key, isList, children: children as Branch[] };
}

// ---- paths -----------------------------------------------------------------------------------------

function nameOf(entry: Branch): string | undefined {
  return entry.children.find((child) => child.key === 'name')?.word?.text;
}

/** How a setting names the entry of a list: by its name, if it is the first of that name, or its number from 0. */
function entryParts(list: Branch): string[] {
  const known = new Set<string>();
  return list.children.map((entry, index) => {
    const name = nameOf(entry) ?? '';
    const isOwn = /^[\w+-]+$/.test(name) && !/^\d+$/.test(name) && !known.has(name);
    known.add(name);
    return isOwn ? name : String(index);
  });
}

/** Calls for each scalar, with its path; keys with dots are paths only below a `set`. */
function walk(branch: Branch, path: string[], visit: (word: Word, path: string) => void): void {
  const parts = branch.isList ? entryParts(branch) : branch.children.map(({ key }) => key);
  branch.children.forEach((child, index) => {
    const part = parts[index] ?? '';
    if (part === '' || TEXTS.has(part) || (part.includes('.') && branch.key !== 'set')) return;
    if (child.word) visit(child.word, [...path, part].join('.'));
    else walk(child, [...path, part], visit);
  });
}

// ---- numbers ---------------------------------------------------------------------------------------

/** The numbers of a spec, in the order of the text; none of a text that is no YAML. */
export function numbersOf(text: string): NumberAt[] {
  const document = parseDocument(text, OPTIONS);
  const root = document.errors.length === 0 ? branchOf('', document.contents) : undefined;
  if (!root) return [];
  const places = new Places(text);
  const found: NumberAt[] = [];
  walk(root, [], ({ text: digits, from }, path) => {
    if (!NUMBER.test(digits) || !Number.isFinite(Number(digits))) return;
    const to = from + digits.length;
    const isAsWritten = text.slice(from, to) === digits; // not by escapes or in a block
    if (isAsWritten) found.push({ path, value: Number(digits), ...places.at(from), from, to });
  });
  return found;
}

/** The digits of a number, without what binary fractions add at their end. */
function digitsOf(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** The text with another number at a place, which is one of this text. */
export function withNumber(text: string, at: NumberAt, value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${at.path} must be a finite number; this is ${value}`);
  const before = text.slice(at.from, at.to);
  if (!NUMBER.test(before) || Number(before) !== at.value)
    throw new RangeError(`${at.path} is not at this place of the text`);
  return text.slice(0, at.from) + digitsOf(value) + text.slice(at.to);
}
