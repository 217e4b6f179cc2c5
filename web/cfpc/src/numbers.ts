// SPDX-License-Identifier: Apache-2.0
// numbers: every number of a spec, by the path that a setting takes, and the text with another in its
// place. Comments and layout stay as they are.
import { Places } from './places';
import { read, type Tree } from './reader';

export { describe, rangeOf, type Range } from './ranges';

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

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** Texts, also where they look like numbers. */
const TEXTS = new Set(['name', 'title', 'says', 'label', 'file', 'measure']);

// ---- the tree --------------------------------------------------------------------------------------

interface Scalar {
  text: string;
  line: number;
  column: number;
}

/** A map, a list (without keys), or a scalar. */
interface Branch {
  key: string;
  scalar?: Scalar;
  isList: boolean;
  children: Branch[];
}

/** Builds branches from what a reader tells, up to the first thing that is wrong. */
class Growing implements Tree {
  readonly top: Branch = { key: '', isList: true, children: [] };
  private readonly open: Branch[] = [this.top];
  private next = '';
  private isWrong = false;

  map(): void { this.begin(false); }
  list(): void { this.begin(true); }
  end(): void { if (!this.isWrong) this.open.pop(); }
  key(text: string): void { this.next = text; }
  scalar(text: string, line: number, column: number): void { this.add({ scalar: { text, line, column }, isList: false }); }
  alias(): void { this.isWrong = true; }
  otherKey(): void { this.isWrong = true; }
  nul(): void { this.isWrong = true; }
  second(): void { this.isWrong = true; }
  error(): void { this.isWrong = true; }

  get isWhole(): boolean {
    return !this.isWrong;
  }

  private begin(isList: boolean): void {
    const branch = this.add({ isList });
    if (!this.isWrong) this.open.push(branch);
  }

  private add(what: { scalar?: Scalar; isList: boolean }): Branch {
    const branch: Branch = { key: this.next, children: [], ...what };
    this.next = '';
    if (!this.isWrong) this.open[this.open.length - 1]?.children.push(branch);
    return branch;
  }
}

// ---- paths -----------------------------------------------------------------------------------------

function nameOf(entry: Branch): string | undefined {
  return entry.children.find((child) => child.key === 'name')?.scalar?.text;
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
function walk(branch: Branch, path: string[], visit: (scalar: Scalar, path: string) => void): void {
  const parts = branch.isList ? entryParts(branch) : branch.children.map(({ key }) => key);
  branch.children.forEach((child, index) => {
    const part = parts[index] ?? '';
    if (part === '' || TEXTS.has(part) || (part.includes('.') && branch.key !== 'set')) return;
    if (child.scalar) visit(child.scalar, [...path, part].join('.'));
    else walk(child, [...path, part], visit);
  });
}

// ---- numbers ---------------------------------------------------------------------------------------

/** The numbers of a spec, in the order of the text; none of a text that is no YAML. */
export function numbersOf(text: string): NumberAt[] {
  const tree = new Growing();
  read(text, tree);
  const root = tree.top.children[0];
  if (!tree.isWhole || !root) return [];
  const places = new Places(text);
  const found: NumberAt[] = [];
  walk(root, [], ({ text: digits, line, column }, path) => {
    if (!NUMBER.test(digits) || !Number.isFinite(Number(digits)) || line === 0) return;
    const from = places.offset({ line, column });
    const to = from + digits.length;
    const isAsWritten = text.slice(from, to) === digits; // not by escapes or in a block
    if (isAsWritten) found.push({ path, value: Number(digits), line, column, from, to });
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
  if (!NUMBER.test(before) || Number(before) !== at.value) throw new RangeError(`${at.path} is not at this place of the text`);
  return text.slice(0, at.from) + digitsOf(value) + text.slice(at.to);
}
