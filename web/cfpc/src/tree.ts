// SPDX-License-Identifier: Apache-2.0
// tree: a spec, or a value of a setting, as a tree of the lab.
import { refuse } from './error';
import { type Memory, withMemory } from './memory';
import type { Native, Pointer } from './native';
import type { Value } from './types';

const DEEPEST = 60; // levels of a value; deeper is one that holds itself

function create(memory: Memory, file: string): Pointer {
  return memory.own(memory.native._cfpc_tree_create(memory.text(file).at), memory.native._cfpc_tree_free);
}

/** The tree of a spec; what is wrong in its text is said when the tree is used. */
export function treeOfSpec(memory: Memory, text: string, file: string): Pointer {
  const tree = create(memory, file);
  const { at, length } = memory.text(text);
  memory.native._cfpc_tree_read(tree, at, length);
  return tree;
}

// ---- values --------------------------------------------------------------------------------------

/** Puts a value and all below it into a tree; it has no places. */
class Putting {
  constructor(
    private readonly native: Native,
    private readonly tree: Pointer,
  ) {}

  value(value: unknown, where: string, depth: number): void {
    if (depth > DEEPEST) refuse(`${where}: nested too deeply; does it hold itself?`);
    if (Array.isArray(value)) {
      this.native._cfpc_tree_list(this.tree, 0, 0);
      for (const below of value) this.value(below, where, depth + 1);
      this.native._cfpc_tree_end(this.tree);
    } else if (typeof value === 'object' && value !== null) {
      this.native._cfpc_tree_map(this.tree, 0, 0);
      for (const [key, below] of Object.entries(value)) {
        this.text(plain(key, where), this.native._cfpc_tree_key);
        this.value(below, key, depth + 1);
      }
      this.native._cfpc_tree_end(this.tree);
    } else this.text(scalarOf(value, where), this.native._cfpc_tree_scalar);
  }

  private text(text: string, put: Native['_cfpc_tree_key']): void {
    withMemory(this.native, (memory) => put(this.tree, memory.text(text).at, 0, 0));
  }
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
  new Putting(memory.native, tree).value(value, path, 0);
  return tree;
}
