// SPDX-License-Identifier: Apache-2.0
// complaint: the first thing that is wrong in a text, at the place at which other parsers have it, so
// that a spec is refused alike wherever it is read (tests/specs/refused.json).
import type { CST, Document, YAMLParseError, YAMLWarning } from 'yaml';
import { collectionsOf, wordsOf, type Nested, type Word } from './words';

/** What the parser says, and the offset of what it says that of. */
export interface Complaint {
  says: string;
  offset: number;
}

/** A document that was parsed and composed, with its text. */
export interface Parsed {
  text: string;
  /** None: the text holds no document. */
  token: CST.Document | undefined;
  document: Document.Parsed;
}

const isBlank = ({ type }: Word): boolean => type === 'space' || type === 'newline' || type === 'comment';
const isColon = ({ type }: Word): boolean => type === 'map-value-ind';
const isPlain = ({ type }: Word): boolean => type === 'scalar';

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
const isFirstInLine = (text: string, offset: number): boolean => /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));

// ---- the first of yaml's errors -------------------------------------------------------------------

const NO_QUOTE = /^Missing closing/;

/** An error, by where what is wrong begins. */
interface Begun {
  code: string;
  message: string;
  offset: number;
}

/** yaml puts a missing quote where the text ends; that it makes no key either is said later. */
function firstOf(errors: YAMLParseError[], words: Word[]): Begun | undefined {
  const begins = new Map<number, number>();
  for (const { type, offset, source } of words) if (/-quoted-/.test(type)) begins.set(offset + source.length, offset);
  let first: Begun | undefined;
  for (const { code, message, pos: [at] } of errors) {
    const isQuote = NO_QUOTE.test(message);
    const offset = isQuote ? (begins.get(at) ?? at) : at;
    if (!first || offset < first.offset || (isQuote && offset === first.offset)) first = { code, message, offset };
  }
  return first;
}

// ---- where yaml's own errors are -------------------------------------------------------------------

const deeper = ({ type }: Word): number =>
  Number(/^flow-(map|seq)-start$/.test(type)) - Number(/^flow-(map|seq)-end$/.test(type));

/** Whether an offset is within brackets. */
function isBracketed(words: Word[], offset: number): boolean {
  let depth = 0;
  for (const word of words) if (word.offset < offset) depth += deeper(word);
  return depth > 0;
}

/** The colon of the key at an offset, which may be a list in brackets; the offset if it has none. */
function colonOf(words: Word[], offset: number): number {
  let depth = 0;
  for (const word of words) {
    if (word.offset < offset) continue;
    if (depth === 0 && isColon(word)) return word.offset;
    depth += deeper(word);
  }
  return offset;
}

/** A key in the line of another: its colon; but one over several lines is where it begins. */
function nestedKey(text: string, words: Word[], offset: number): number {
  const colon = colonOf(words, offset);
  return text.slice(offset, colon).includes('\n') ? offset : colon;
}

function nextWord(words: Word[], offset: number): number {
  return words.find((word) => word.offset >= offset && !isBlank(word))?.offset ?? offset;
}

/** Where a plain text in brackets ends that goes on over lines, wherever they begin. */
function plainEnd(text: string, from: number): number {
  const end = /:(?=[\s,[\]{}]|$)|[,[\]{}]|\s#/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

/** Brackets are not closed: where the parser saw that. */
function unclosed(text: string, words: Word[], offset: number): number {
  const before = words.filter((word) => word.offset < offset && !isBlank(word)).pop();
  if (before && isPlain(before)) return plainEnd(text, before.offset);
  const next = /\S/g;
  next.lastIndex = offset;
  const at = next.exec(text)?.index ?? text.length;
  const tab = text.slice(lineStart(text, at), at).indexOf('\t');
  return tab >= 0 && isFirstInLine(text, at) ? lineStart(text, at) + tab : at;
}

function offsetOf(error: Begun, text: string, words: Word[]): number {
  const { code, message, offset } = error;
  if (code === 'MULTILINE_IMPLICIT_KEY') return isBracketed(words, offset) ? colonOf(words, offset) : offset;
  if (/^(Nested mappings|Block collection cannot start)/.test(message)) return nestedKey(text, words, offset);
  if (code === 'KEY_OVER_1024_CHARS') return colonOf(words, offset);
  if (NO_QUOTE.test(message)) return offset + 1;
  if (/must (be sufficiently indented and )?end with a/.test(message)) return unclosed(text, words, offset);
  if (/ cannot be an empty string$/.test(message)) return offset + 1;
  return code === 'BAD_INDENT' || / without - indicator$/.test(message) ? nextWord(words, offset) : offset;
}

// ---- what yaml lets pass ---------------------------------------------------------------------------

/** A version of YAML that does not exist yet. */
function badVersion(text: string, warnings: YAMLWarning[]): Complaint | undefined {
  const warning = warnings.find(({ message }) => /^Unsupported YAML version ([2-9]|\d\d)/.test(message));
  return warning && { says: warning.message, offset: lineStart(text, warning.pos[0]) };
}

/** A bracket that closes at the indentation of the block around it; a tab does not indent. */
function badIndent(text: string, { token, within }: Nested): Complaint | undefined {
  const end = token.type === 'flow-collection' ? token.end[0] : undefined;
  const isBlock = within.type === 'block-map' || within.type === 'block-seq';
  if (!end || !isBlock || !isFirstInLine(text, end.offset)) return undefined;
  const start = lineStart(text, end.offset);
  const indent = text.slice(start, end.offset).search(/\t|$/);
  const says = 'A bracket must be indented more than the block that it is in';
  return indent > within.indent ? undefined : { says, offset: start + indent };
}

/** A colon that does not begin a line of the map, as in `a: [b]: c`: yaml begins a key without a name there. */
function strayColon(text: string, { token }: Nested): Complaint | undefined {
  if (token.type !== 'block-map') return undefined;
  for (const { key, sep } of token.items.slice(1)) {
    const colon = key ? undefined : sep?.find(isColon);
    if (colon && colon.offset - lineStart(text, colon.offset) !== token.indent)
      return { says: 'Nested mappings are not allowed in compact mappings', offset: colon.offset };
  }
  return undefined;
}

/** Half of a letter in an escape: also two halves, which JavaScript would put together. */
function halfLetter(word: Word): Complaint | undefined {
  if (word.type !== 'double-quoted-scalar') return undefined;
  const escapes = word.source.match(/\\(u.{4}|U.{8}|[^])/g) ?? [];
  const isHalf = escapes.some((escape) => /^\\(u|U0000)d[89a-f]/i.test(escape));
  return isHalf ? { says: 'An escape stands for half a letter', offset: word.offset + 1 } : undefined;
}

function* passed({ text, token, document }: Parsed, words: Word[]): Generator<Complaint | undefined> {
  yield badVersion(text, document.warnings);
  for (const nested of token ? collectionsOf(token) : []) {
    yield badIndent(text, nested);
    yield strayColon(text, nested);
  }
  for (const word of words) yield halfLetter(word);
}

// ---- the first -------------------------------------------------------------------------------------

/** The first complaint about a document. */
export function complaintOf(parsed: Parsed): Complaint | undefined {
  const words = parsed.token ? wordsOf(parsed.token) : [];
  let first: Complaint | undefined;
  const take = (it: Complaint | undefined): void => {
    if (it && (!first || it.offset < first.offset)) first = it;
  };
  for (const it of passed(parsed, words)) take(it);
  const error = firstOf(parsed.document.errors, words);
  if (error) take({ says: error.message, offset: offsetOf(error, parsed.text, words) });
  return first;
}
