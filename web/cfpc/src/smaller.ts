// SPDX-License-Identifier: Apache-2.0
// smaller: ways to make a run smaller: which numbers of a spec to reduce, and how far.
import type { Value } from './types';

type Settings = Record<string, Value>;

/** One key, or several together. */
export interface Smaller {
  now: Settings;
  /** From share 1, what the spec has, to share 0, the least that makes sense. */
  at(share: number): Settings;
  /** All keys together: only where no single one is enough. */
  isLast: boolean;
}

/** A number of the spec, and the least that makes sense. */
interface Reducible {
  path: string;
  now: number;
  least: number;
}

type Node = { [key: string]: unknown };

function isNode(it: unknown): it is Node {
  return typeof it === 'object' && it !== null && !Array.isArray(it);
}

function nodeAt(it: unknown, key: string): Node {
  return isNode(it) && isNode(it[key]) ? it[key] : {};
}

function numberAt(list: Reducible[], node: Node, path: string, key: string, least: number): void {
  const now = node[key];
  if (typeof now === 'number' && now > least) list.push({ path: path ? `${path}.${key}` : key, now, least });
}

function entries(it: unknown, key: string): [string, Node][] {
  const list = isNode(it) ? it[key] : undefined;
  if (isNode(list)) return [[key, list]];
  if (!Array.isArray(list)) return [];
  return list.filter(isNode).map((entry, i) =>
    [list.length === 1 && key === 'basis' ? key : `${key}.${typeof entry['name'] === 'string' ? entry['name'] : i}`,
      entry]);
}

/** In the order in which one would rather give them up. */
function reducibles(spec: unknown): Reducible[] {
  const list: Reducible[] = [], phases = entries(spec, 'phases');
  if (isNode(spec)) numberAt(list, spec, '', 'runs', 1);
  numberAt(list, nodeAt(spec, 'tune'), 'tune', 'evaluations', 2); // 1 tunes nothing
  numberAt(list, nodeAt(spec, 'population'), 'population', 'count', 1);
  if (phases.length === 0) numberAt(list, nodeAt(spec, 'learning'), 'learning', 'trials', 10);
  for (const [path, phase] of phases) numberAt(list, phase, path, 'trials', 5);
  for (const key of ['zone', 'scale', 'population']) numberAt(list, nodeAt(spec, key), key, 'trials', 5);
  numberAt(list, nodeAt(spec, 'zone'), 'zone', 'cells', 2);
  numberAt(list, nodeAt(spec, 'zone'), 'zone', 'synapses', 20);
  for (const [path, bank] of entries(spec, 'basis')) numberAt(list, bank, path, 'count', 5);
  return list;
}

/** Rounded down to two digits, so that a person would choose it, too. */
function rounded(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.floor(value / unit) * unit;
}

/** Between the least and the present value, by ratio. */
function valueAt(it: Reducible, share: number): number {
  return share >= 1 ? it.now : Math.max(it.least, Math.min(it.now, rounded(it.least * (it.now / it.least) ** share)));
}

function ofNumbers(list: Reducible[], isLast: boolean): Smaller {
  const set = (value: (it: Reducible) => number): Settings =>
    Object.fromEntries(list.map((it) => [it.path, value(it)]));
  return { now: set((it) => it.now), at: (share) => set((it) => valueAt(it, share)), isLast };
}

/** A list of sizes, without the largest ones. */
function ofSizes(spec: unknown, section: string, key: string): Smaller[] {
  const sizes = nodeAt(spec, section)[key];
  if (!Array.isArray(sizes) || sizes.length < 2) return [];
  const path = `${section}.${key}`, sorted = [...(sizes as number[])].sort((a, b) => a - b);
  return [{
    now: { [path]: sizes as number[] },
    at: (share) => ({ [path]: sorted.slice(0, 1 + Math.floor(share * (sorted.length - 1))) }),
    isLast: false,
  }];
}

/** A longer step: factors after which times that are multiples of the step mostly still are. */
function ofStep(spec: unknown): Smaller[] {
  const now = isNode(spec) ? spec['step_ms'] : undefined;
  if (typeof now !== 'number') return [];
  const factors = [20, 10, 5, 4, 2.5, 2];
  const at = (share: number) =>
    ({ step_ms: Number((now * factors[Math.min(factors.length - 1, Math.floor(share * factors.length))]!).toPrecision(6)) });
  return [{ now: { step_ms: now }, at, isLast: false }];
}

/** `spec`: with every default, as an object. */
export function smaller(spec: unknown): Smaller[] {
  const numbers = reducibles(spec);
  const sizes = [['scale', 'sizes'], ['zone', 'other_cells'], ['zone', 'other_synapses']] as const;
  return [
    ...sizes.flatMap(([section, key]) => ofSizes(spec, section, key)),
    ...numbers.map((it) => ofNumbers([it], false)),
    ...ofStep(spec),
    ...(numbers.length > 1 ? [ofNumbers(numbers, true)] : []),
  ];
}
