// SPDX-License-Identifier: Apache-2.0
// tree: a spec, or a value of a setting, as a tree of the lab.
import { refuse, sentenceOf } from './error';
import type { Memory } from './memory';
import { textAt, withMemory } from './memory';
import type { Native, Pointer } from './native';
import { read, type Tree } from './reader';
import type { Value } from './types';

const DEEPEST = 60; // levels of a value; deeper is one that holds itself

/** The calls of a reader, passed on to a tree of the lab. */
class LabTree implements Tree {
  constructor(private readonly native: Native, private readonly tree: Pointer) {}

  map(line: number, column: number): void { this.native._cfpc_tree_map(this.tree, line, column); }
  list(line: number, column: number): void { this.native._cfpc_tree_list(this.tree, line, column); }
  end(): void { this.native._cfpc_tree_end(this.tree); }
  alias(line: number, column: number): void { this.native._cfpc_tree_alias(this.tree, line, column); }
  otherKey(line: number, column: number): void { this.native._cfpc_tree_other_key(this.tree, line, column); }
  nul(line: number, column: number): void { this.native._cfpc_tree_nul(this.tree, line, column); }
  second(): void { this.native._cfpc_tree_second(this.tree); }

  key(text: string, line: number, column: number): void {
    this.with(text, (at) => this.native._cfpc_tree_key(this.tree, at, line, column));
  }

  scalar(text: string, line: number, column: number): void {
    this.with(text, (at) => this.native._cfpc_tree_scalar(this.tree, at, line, column));
  }

  error(says: string, line: number, column: number): void {
    this.with(says, (at) => this.native._cfpc_tree_error(this.tree, at, line, column));
  }

  fail(says: string): void {
    this.with(says, (at) => this.native._cfpc_tree_fail(this.tree, at));
  }

  private with(text: string, call: (at: Pointer) => void): void {
    withMemory(this.native, (memory) => call(memory.text(text).at));
  }
}

function create(memory: Memory, file: string): Pointer {
  return memory.own(memory.native._cfpc_tree_create(memory.text(file).at), memory.native._cfpc_tree_free);
}

/** The tree of a spec; what is wrong in its text is said when the tree is used. */
export function treeOfSpec(memory: Memory, text: string, file: string): Pointer {
  const tree = create(memory, file);
  const { at, length } = memory.text(text);
  memory.native._cfpc_tree_text(tree, at, length);
  read(text, new LabTree(memory.native, tree));
  return tree;
}

/** Reads a text for the lab, such as a model file that a spec names. */
export function parseFor(native: Native, tree: Pointer, text: Pointer): void {
  const lab = new LabTree(native, tree);
  try {
    read(textAt(native, text), lab);
  } catch (thrown) {
    lab.fail(`the reader failed: ${sentenceOf(thrown)}`);
  }
}

// ---- values --------------------------------------------------------------------------------------

function put(tree: LabTree, value: unknown, where: string, depth: number): void {
  if (depth > DEEPEST) refuse(`${where}: nested too deeply; does it hold itself?`);
  if (Array.isArray(value)) {
    tree.list(0, 0);
    for (const below of value) put(tree, below, where, depth + 1);
    tree.end();
  } else if (typeof value === 'object' && value !== null) {
    tree.map(0, 0);
    for (const [key, below] of Object.entries(value)) {
      tree.key(plain(key, where), 0, 0);
      put(tree, below, key, depth + 1);
    }
    tree.end();
  } else tree.scalar(scalarOf(value, where), 0, 0);
}

function scalarOf(value: unknown, where: string): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value); // the digits that read back to the same number
  if (typeof value === 'string') return plain(value, where);
  return refuse(`${where}: a setting is a number, a text, a list or a map; this is ${typeName(value)}`);
}

function plain(text: string, where: string): string {
  return text.includes('\0') ? refuse(`${where}: the text has a NUL character`) : text;
}

function typeName(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

/** The tree of a value of a setting; its path is for messages. */
export function treeOfValue(memory: Memory, path: string, value: Value): Pointer {
  const tree = create(memory, path);
  put(new LabTree(memory.native, tree), value, path, 0);
  return tree;
}
