// SPDX-License-Identifier: Apache-2.0
// data: what the figures of a result have in common: a dataset by its name, a rule's role, what is
// said of a rule that diverged.
import type { Dataset, Result, RuleResult } from '../../../cfpc/src/types';
import type { Role } from '../../parts/figure';
import { number } from '../../parts/number';

/** The values of a dataset; undefined: the result does not hold it. */
export function values(result: Result, name: string): Float64Array | undefined {
  return result.datasets[name]?.values;
}

/** The datasets under a folder, by what follows it: under('gain/') has the rules. */
export function under(result: Result, folder: string): [string, Dataset][] {
  return Object.entries(result.datasets)
    .filter(([name]) => name.startsWith(folder))
    .map(([name, dataset]) => [name.slice(folder.length), dataset]);
}

/** The rule whose signals were kept is the same colour everywhere; the others follow in their order. */
export function roleOf(result: Result, rule: string): Role {
  if (rule === result.rule) return 'learned';
  const others = result.rules.map((r) => r.name).filter((name) => name !== result.rule);
  const place = others.indexOf(rule);
  return ((Math.max(place, 0) % 6) + 1) as Role;
}

export function ruleOf(result: Result, name: string): RuleResult | undefined {
  return result.rules.find((rule) => rule.name === name);
}

/** The rule's name, with the trial in which it diverged. */
export function named(rule: RuleResult): string {
  return rule.divergedAt > 0 ? `${rule.name} (diverged in trial ${rule.divergedAt})` : rule.name;
}

/** '' or the sentence about every rule that diverged. */
export function divergedSentence(result: Result): string {
  const diverged = result.rules.filter((rule) => rule.divergedAt > 0);
  return diverged
    .map((rule) => `Rule ${rule.name} diverged in trial ${rule.divergedAt}: from there on it has no numbers.`)
    .join(' ');
}

/** 1, 2, … */
export function trials(result: Result): ArrayLike<number> {
  return values(result, 'curves/trial') ?? new Float64Array(0);
}

export function lastOf(list: ArrayLike<number>): number {
  return list[list.length - 1] ?? NaN;
}

export function largest(list: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < list.length; i++) {
    const size = Math.abs(list[i] ?? NaN);
    if (Number.isFinite(size) && size > most) most = size;
  }
  return most;
}

export function someFinite(list: ArrayLike<number>): boolean {
  for (let i = 0; i < list.length; i++) if (Number.isFinite(list[i])) return true;
  return false;
}

/** "a, b and c". */
export function listed(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

export { number };
