// SPDX-License-Identifier: Apache-2.0
// words: what yaml's parser made of a text, before it is composed: the words of a document in the order
// of the text, and how deep its maps and lists are nested.
import { CST, Lexer, Parser } from 'yaml';

/** Of maps and lists within each other: that many are refused, as cfpc_tree_map does. */
export const MAX_DEPTH = 64;

export type Word = CST.SourceToken | CST.FlowScalar | CST.BlockScalar | CST.ErrorToken;

type Item = CST.CollectionItem;

function isCollection(token: CST.Token): token is CST.BlockMap | CST.BlockSequence | CST.FlowCollection {
  return token.type === 'block-map' || token.type === 'block-seq' || token.type === 'flow-collection';
}

// ---- in the order of the text ----------------------------------------------------------------------

function addItem(words: Word[], item: Item): void {
  for (const word of item.start) words.push(word);
  if (item.key) add(words, item.key);
  for (const word of item.sep ?? []) words.push(word);
  if (item.value) add(words, item.value);
}

function add(words: Word[], token: CST.Token): void {
  if (token.type === 'document') for (const word of token.start) words.push(word);
  if (token.type === 'document' && token.value) add(words, token.value);
  if (token.type === 'flow-collection') words.push(token.start);
  if (isCollection(token)) for (const item of token.items as Item[]) addItem(words, item);
  if (token.type === 'block-scalar') for (const word of token.props as Word[]) words.push(word);
  if ('source' in token) words.push(token as Word);
  if ('end' in token) for (const word of token.end ?? []) words.push(word);
}

/** All words of a document, with blanks, comments and line ends. */
export function wordsOf(document: CST.Document): Word[] {
  const words: Word[] = [];
  add(words, document);
  return words;
}

/** A map or list, with the one that it is in. */
export interface Nested {
  token: CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
  within: CST.Token;
}

function addCollections(to: Nested[], token: CST.Token | null | undefined, within: CST.Token): void {
  if (!token || !isCollection(token)) return;
  to.push({ token, within });
  for (const item of token.items as Item[]) {
    addCollections(to, item.key, token);
    addCollections(to, item.value, token);
  }
}

/** Each map and list of a document. */
export function collectionsOf(document: CST.Document): Nested[] {
  const found: Nested[] = [];
  addCollections(found, document.value, document);
  return found;
}

// ---- depth -----------------------------------------------------------------------------------------

/** Where the maps and lists that are open begin: also that of `a: 1` in `[a: 1]`, which has no brackets. */
function openOffsets(stack: CST.Token[]): number[] {
  const offsets: number[] = [];
  for (const token of stack) {
    if (isCollection(token)) offsets.push(token.offset);
    const last = token.type === 'flow-collection' && token.start.source === '[' ? token.items[token.items.length - 1] : undefined;
    const colon = last?.sep?.find((word) => word.type === 'map-value-ind');
    if (last && colon) offsets.push(last.key?.offset ?? colon.offset);
  }
  return offsets;
}

/** What the parser makes of a text, up to where it is nested too deeply: this is told, and the text cut off. */
export function* tokensOf(text: string, tooDeep: (offset: number) => void): Generator<CST.Token> {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    const open = parser.stack.length > MAX_DEPTH / 2 ? openOffsets(parser.stack) : [];
    if (open.length >= MAX_DEPTH) {
      tooDeep(open[MAX_DEPTH - 1]!);
      break;
    }
  }
  yield* parser.end();
}
