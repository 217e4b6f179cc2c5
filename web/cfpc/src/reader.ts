// SPDX-License-Identifier: Apache-2.0
// reader: npm's yaml as a reader of specs. It tells a tree, call by call, what a text holds and where.
// Scalars are told as they are written: the lab decides what is a number (docs/lab.md).
import {
  Composer, isAlias, isMap, isScalar, isSeq, Scalar,
  type Alias, type CST, type Document, type Pair, type ParsedNode, type YAMLMap, type YAMLSeq,
} from 'yaml';
import { complaintOf, type Complaint } from './complaint';
import { Places, type At } from './places';
import { MAX_DEPTH, tokensOf } from './words';

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

/** Whether a line of ... ends what was not begun. */
function isNothing({ start, value }: CST.Document): boolean {
  return !value && !start.some(({ type }) => type === 'doc-start' || type === 'anchor' || type === 'tag');
}

interface Read {
  contents: Node;
  complaint: Complaint | undefined;
}

/** The documents of a text, one after another, each with what is wrong in it. */
class Stream {
  private readonly tokens: CST.Document[] = [];
  private readonly documents: Generator<Document.Parsed>;
  private deep: Complaint | undefined;

  constructor(private readonly text: string) {
    this.documents = new Composer(OPTIONS).compose(this.watched(), true, text.length) as Generator<Document.Parsed>;
  }

  take(count: number): Read[] {
    const taken: Read[] = [];
    for (let it; taken.length < count && !taken[taken.length - 1]?.complaint && (it = this.next()); ) taken.push(it);
    return taken;
  }

  private next(): Read | undefined {
    for (let document; (document = this.documents.next().value as Document.Parsed | undefined); ) {
      const token = this.tokens.shift();
      const complaint = complaintOf({ text: this.text, token, document });
      if (complaint || !token || !isNothing(token)) return { contents: document.contents as Node, complaint: this.firstOf(complaint) };
    }
    return undefined;
  }

  /** What is too deep was cut off: complaints about what follows are of no text. */
  private firstOf(complaint: Complaint | undefined): Complaint | undefined {
    return this.deep && (!complaint || complaint.offset >= this.deep.offset) ? this.deep : complaint;
  }

  private *watched(): Generator<CST.Token> {
    const tooDeep = (offset: number): void => {
      this.deep = { says: `Max depth (${MAX_DEPTH}) exceeded`, offset };
    };
    for (const token of tokensOf(this.text, tooDeep)) {
      if (token.type === 'document') this.tokens.push(token);
      yield token;
    }
  }
}

/** YAML has three line ends, and yaml knows two. The last line ends too: what is not closed is missed after it. */
function linesOf(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  return lines.endsWith('\n') ? lines : `${lines}\n`;
}

/** Calls without stack traces: yaml makes an Error of each complaint, and a broken text has very many. */
function withoutTraces<Result>(call: () => Result): Result {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** The first documents of a text. What yaml throws, such as at the end of the stack, is a complaint too. */
function documentsOf(text: string): Read[] {
  try {
    return withoutTraces(() => new Stream(text).take(2));
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    return [{ contents: null, complaint: { says, offset: 0 } }];
  }
}

/** Tells the tree what a text holds. All of it is parsed first, so an error in a document comes before what it holds. */
export function read(given: string, tree: Tree): void {
  const text = linesOf(given);
  const places = new Places(text);
  const complain = ({ says, offset }: Complaint): void => {
    const at = places.at(offset);
    tree.error(says, at.line, at.column);
  };
  const [first, second] = documentsOf(text);
  if (first?.complaint) return complain(first.complaint);
  if (first?.contents) new Telling(tree, places).node(first.contents);
  if (second?.complaint) complain(second.complaint);
  else if (second) tree.second();
}
