// SPDX-License-Identifier: Apache-2.0
// given: checks what a caller gives, as JavaScript has no types at run time. Each says what is wrong and what would be
// right.
import { refuse } from './error';
import type { Options, Spec } from './types';

export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 60)}…` : value}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

export function record(value: unknown, name: string, keys?: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(`${name} must be an object; this is ${shown(value)}`);
  for (const key of keys ? Object.keys(value) : [])
    if (!keys!.includes(key)) refuse(`there is no ${name}.${key}; there are ${keys!.join(', ')}`);
  return value as Record<string, unknown>;
}

export function text(value: unknown, name: string): string {
  if (typeof value !== 'string') return refuse(`${name} must be a text; this is ${shown(value)}`);
  return value.includes('\0') ? refuse(`${name} has a NUL character`) : value;
}

export function whole(value: unknown, name: string, least: number, most = 2 ** 31 - 1): number {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  return fits ? value : refuse(`${name} must be a whole number from ${least} to ${most}; this is ${shown(value)}`);
}

export function finite(value: unknown, name: string): number {
  const fits = typeof value === 'number' && Number.isFinite(value);
  return fits ? value : refuse(`${name} must be a finite number; this is ${shown(value)}`);
}

export function above(value: unknown, name: string, low: number): number {
  const fits = typeof value === 'number' && Number.isFinite(value) && value > low;
  return fits ? value : refuse(`${name} must be a number above ${low}; this is ${shown(value)}`);
}

export function atLeast(value: unknown, name: string, low: number): number {
  const fits = typeof value === 'number' && Number.isFinite(value) && value >= low;
  return fits ? value : refuse(`${name} must be a number from ${low}; this is ${shown(value)}`);
}

export function signal(value: unknown, name: string): Float64Array {
  if (!(value instanceof Float64Array)) return refuse(`${name} must be a Float64Array; this is ${shown(value)}`);
  const bad = value.findIndex((it) => !Number.isFinite(it));
  if (bad >= 0) refuse(`${name}[${bad}] must be a finite number; this is ${value[bad]}`);
  return value.length > 0 ? value : refuse(`${name} has no values; it needs one per step`);
}

// ---- spec and options ----------------------------------------------------------------------------

const SPEC = ['text', 'file', 'files'] as const;
const OPTIONS = ['set', 'rule', 'trials', 'rate', 'online', 'repeat', 'seed', 'deadlineMs'] as const;

export interface GivenSpec {
  text: string;
  file: string;
  files: Record<string, string>;
}

export function givenSpec(spec: Spec): GivenSpec {
  if (typeof spec === 'string') refuse('spec must be an object such as {text: …}; this is a text');
  const it = record(spec, 'spec', SPEC);
  if (typeof it.text !== 'string') refuse(`spec.text must be the YAML text of a spec; this is ${shown(it.text)}`);
  const files = it.files === undefined ? {} : record(it.files, 'spec.files');
  for (const [name, content] of Object.entries(files))
    if (typeof content !== 'string') refuse(`spec.files['${name}'] must be a text; this is ${shown(content)}`);
  const file = it.file === undefined ? 'spec.yaml' : text(it.file, 'spec.file');
  if (!file) refuse('spec.file is empty; it is the name of the spec in messages');
  return { text: spec.text, file, files: files as Record<string, string> };
}

/** Options as C takes them: what is not given is the spec's. */
export interface GivenOptions {
  set: [string, unknown][];
  rule: string | null;
  trials: number;
  rate: number;
  online: boolean;
  repeat: number;
  seed: number;
  deadlineMs: number;
}

export function givenOptions(options: Options = {}): GivenOptions {
  const it = record(options, 'options', OPTIONS);
  const or = <T>(value: unknown, otherwise: T, check: () => T): T => (value === undefined ? otherwise : check());
  if (it.online !== undefined && typeof it.online !== 'boolean')
    refuse(`options.online must be true or false; this is ${shown(it.online)}`);
  return {
    set: or(it.set, [], () => Object.entries(record(it.set, 'options.set'))),
    rule: or<string | null>(it.rule, null, () => text(it.rule, 'options.rule')),
    trials: or(it.trials, 0, () => whole(it.trials, 'options.trials', 1)),
    rate: or(it.rate, 0, () => above(it.rate, 'options.rate', 0)),
    online: it.online === true,
    repeat: or(it.repeat, 0, () => whole(it.repeat, 'options.repeat', 1)),
    seed: or(it.seed, -1, () => whole(it.seed, 'options.seed', 0)),
    deadlineMs: or(it.deadlineMs, Infinity, () => above(it.deadlineMs, 'options.deadlineMs', 0)),
  };
}
