// SPDX-License-Identifier: Apache-2.0
// reader: npm's yaml as a reader of specs. It tells a tree, call by call, what a text holds and where.
// Scalars are told as they are written: the lab decides what is a number (docs/lab.md).
import {
  Composer, Parser, isAlias, isMap, isScalar, isSeq, Scalar,
  type Alias, type Document, type Pair, type ParsedNode, type YAMLMap, type YAMLSeq,
} from 'yaml';
import { Places, type At } from './places';

/** What is told, as cfpc_tree_* of cfpc/lab.h. Lines and columns count from 1; 0: there is no place. */
export interface Tree {
  map(line: number, column: number): void;
  list(line: number, column: number): void;
  end(): void;
  key(text: string, line: number, column: number): void;
  scalar(text: string, line: number, column: number): void;
  alias(line: number, column: number): void;
  otherKey(line: number, column: number): void;
  nul(line: number, column: number): void;
  second(): void;
  error(says: string, line: number, column: number): void;
}

type Node = ParsedNode | null;

const NOWHERE: At = { line: 0, column: 0 };

// The schema without any types, and keys that may be there twice: both are for the lab to see.
const OPTIONS = { schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false, strict: true } as const;

class Telling {
  constructor(private readonly tree: Tree, private readonly places: Places) {}

  node(node: Node): void {
    if (isMap(node)) this.map(node as YAMLMap.Parsed);
    else if (isSeq(node)) this.list(node as YAMLSeq.Parsed);
    else if (isAlias(node)) this.alias(node as Alias.Parsed);
    else this.text('scalar', node as Scalar.Parsed | null);
  }

  private map(map: YAMLMap.Parsed): void {
    const at = this.places.at(map.range[0]);
    this.tree.map(at.line, at.column);
    for (const { key, value } of map.items as Pair<Node, Node>[]) {
      this.key(key);
      this.node(value);
    }
    this.tree.end();
  }

  private list(list: YAMLSeq.Parsed): void {
    const at = this.places.at(list.range[0]);
    this.tree.list(at.line, at.column);
    for (const item of list.items as Node[]) this.node(item);
    this.tree.end();
  }

  private key(key: Node): void {
    if (isAlias(key)) return this.alias(key as Alias.Parsed);
    if (!isMap(key) && !isSeq(key)) return this.text('key', key as Scalar.Parsed | null);
    const at = this.firstWord(key);
    this.tree.otherKey(at.line, at.column);
  }

  private text(what: 'key' | 'scalar', scalar: Scalar.Parsed | null): void {
    const text = scalar?.source ?? '';
    const { line, column } = this.placeOf(scalar);
    if (text.includes('\0')) this.tree.nul(line, column);
    else this.tree[what](text, line, column);
  }

  private alias(alias: Alias.Parsed): void {
    const at = this.placeOf(alias);
    this.tree.alias(at.line, at.column);
  }

  /** Where the first word in a list is; a map has no such place. */
  private firstWord(node: Node): At {
    while (isSeq(node)) node = (node.items[0] ?? null) as Node;
    return isScalar(node) || isAlias(node) ? this.placeOf(node) : NOWHERE;
  }

  /** Where the text of a scalar or the name of an alias begins. */
  private placeOf(word: Scalar.Parsed | Alias.Parsed | null): At {
    if (!word) return NOWHERE;
    const at = this.places.at(word.range[0]);
    if (isAlias(word)) return { line: at.line, column: at.column + 1 };
    if (word.type === Scalar.PLAIN) return word.source === '' ? NOWHERE : at;
    const isBlock = word.type === Scalar.BLOCK_LITERAL || word.type === Scalar.BLOCK_FOLDED;
    return isBlock ? { line: at.line + 1, column: 1 } : { line: at.line, column: at.column + 1 };
  }
}

function tellError(tree: Tree, places: Places, document: Document.Parsed): boolean {
  const error = document.errors[0];
  if (!error) return false;
  const at = places.at(error.pos[0]);
  tree.error(error.message, at.line, at.column);
  return true;
}

function parse(text: string, tree: Tree): void {
  // YAML 1.2 has three line ends, and yaml two.
  const lines = text.replace(/\r\n?/g, '\n');
  const places = new Places(lines);
  const documents = new Composer(OPTIONS).compose(new Parser().parse(lines), true, lines.length);
  const first = documents.next().value as Document.Parsed | undefined;
  if (!first || tellError(tree, places, first)) return;
  if (first.contents) new Telling(tree, places).node(first.contents as Node);
  const second = documents.next().value as Document.Parsed | undefined;
  if (second && !tellError(tree, places, second)) tree.second();
}

/** Tells the tree what a text holds. All of a document is parsed first, so an error in it comes first. */
export function read(text: string, tree: Tree): void {
  try {
    parse(text, tree);
  } catch (error) {
    tree.error(error instanceof Error ? error.message : String(error), 0, 0);
  }
}
