// SPDX-License-Identifier: Apache-2.0
// fit: whether a run fits into what a page has; if not, the sentence that says so, with what would fit. That is found
// by trying: smaller values are put into the spec until the predicted cost fits and the spec is still accepted.
import { smaller, type Smaller } from './smaller';
import type { Cost, Limits, Value } from './types';

/** A page that computes for longer looks broken, and phones end a tab that takes much more memory. */
export const DEFAULT_LIMITS: Limits = { seconds: 60, bytes: 768e6 };

/**
 * Work (`work` of cfpc_cost in cfpc/lab.h) that one second does in WebAssembly. Measured with twelve experiments under
 * Node 20 on a core of a busy Xeon server: 0.32e9 (two-joints) to 0.90e9 (vor), median 0.59e9; taken a little lower, as
 * a page that says too much is better than one that hangs. Other machines differ; `learnRate` takes in what runs took
 * on this one.
 */
export const WORK_PER_SECOND = 0.5e9;

let rate = WORK_PER_SECOND;

/** What is known of this machine's rate after a run. Short runs tell nothing: loading and layout are part of them. */
export function learnRate(work: number, seconds: number): void {
  if (!(seconds > 0.5) || !(work > 0)) return;
  const seen = Math.min(4, Math.max(0.25, work / seconds / WORK_PER_SECOND)) * WORK_PER_SECOND;
  rate += 0.3 * (seen - rate);
}

/** What the lab predicts, in seconds of this machine. */
export function costOf(work: number, bytes: number): Cost {
  return { seconds: work / rate, bytes };
}

/** null: no limit. */
export function fits(cost: Cost, limits: Limits | null): boolean {
  return limits === null || (cost.seconds <= limits.seconds && cost.bytes <= limits.bytes);
}

/** Someone who types waits for a check. */
const CHECK_SECONDS = 5;

/** What a check may need, where a run may need `limits`. */
export function checkLimits(limits: Limits | null): Limits | null {
  return limits && { seconds: Math.min(CHECK_SECONDS, limits.seconds), bytes: limits.bytes };
}

/** Said of a check that read the spec and did no more. No time is said: of rivals the prediction is eight times too long. */
export const NOT_PREPARED = 'only the spec was checked: to try its loop and its rules may take too long for a check; ' +
  'a run does that first';

export type Settings = Record<string, Value>;

/** What the lab says of the spec with other settings. Both throw what it refuses. */
export interface Ask {
  /** Without making anything. */
  cost(set: Settings): Cost;
  /** As a run would begin: only for what fits. */
  check(set: Settings): void;
}

/** Settings that fit. */
export interface Proposal {
  set: Settings;
  /** What the spec has now. */
  now: Settings;
}

const MOST_PROPOSALS = 2;

function fitsWith(set: Settings, limits: Limits, ask: Ask): boolean {
  try {
    return fits(ask.cost(set), limits);
  } catch {
    return false; // the lab refuses such a spec
  }
}

function isAccepted(set: Settings, ask: Ask): boolean {
  try {
    ask.check(set);
    return true;
  } catch {
    return false;
  }
}

/** The largest settings of a way that fit: `at(share)` gets smaller from share 1 to share 0. */
function largest(way: Smaller, limits: Limits, ask: Ask): Settings | null {
  const ROUNDS = 14;
  if (!fitsWith(way.at(0), limits, ask)) return null;
  let low = 0, high = 1;
  for (let i = 0; i < ROUNDS; i++) {
    const middle = (low + high) / 2;
    if (fitsWith(way.at(middle), limits, ask)) low = middle;
    else high = middle;
  }
  for (const share of [low, 0.7 * low, 0.4 * low, 0]) {
    const set = way.at(share);
    if (fitsWith(set, limits, ask) && isAccepted(set, ask)) return set;
  }
  return null;
}

function changed(way: Smaller, set: Settings): Proposal {
  const keys = Object.keys(set).filter((key) => JSON.stringify(set[key]) !== JSON.stringify(way.now[key]));
  return {
    set: Object.fromEntries(keys.map((key) => [key, set[key]!])),
    now: Object.fromEntries(keys.map((key) => [key, way.now[key]!])),
  };
}

/** At most two ways to make it fit; none: nothing that was tried does. `spec`: with every default, as an object. */
export function whatFits(spec: unknown, limits: Limits, ask: Ask): Proposal[] {
  const found: Proposal[] = [];
  for (const way of smaller(spec)) {
    if (found.length === MOST_PROPOSALS || (way.isLast && found.length > 0)) break;
    const set = largest(way, limits, ask);
    if (set) found.push(changed(way, set));
  }
  return found;
}

// ---- the sentence ------------------------------------------------------------------------------

/** Two digits are all that a prediction has. */
function digits(value: number): string {
  return String(Number(value.toPrecision(2)));
}

export function saySeconds(seconds: number): string {
  if (seconds < 100) return `${digits(seconds)} s`;
  if (seconds < 6000) return `${digits(seconds / 60)} minutes`;
  return seconds < 48 * 3600 ? `${digits(seconds / 3600)} hours` : `${digits(seconds / 86400)} days`;
}

/** As the lab says bytes: powers of ten. A limit is said exactly. */
export function sayBytes(bytes: number): string {
  if (bytes < 999.5e3) return `${Math.ceil(bytes / 1e3)} KB`;
  return bytes < 999.5e6 ? `${digits(bytes / 1e6)} MB` : `${digits(bytes / 1e9)} GB`;
}

function sayLimit(limits: Limits): string {
  const seconds = limits.seconds < 100 ? `${Number(limits.seconds.toPrecision(3))} s` : saySeconds(limits.seconds);
  return `${seconds} and ${limits.bytes < 1e9 ? `${Math.round(limits.bytes / 1e6)} MB` : sayBytes(limits.bytes)}`;
}

function sayValue(value: Value): string {
  return Array.isArray(value) ? `[${value.map(sayValue).join(', ')}]` : String(value);
}

function sayProposal(it: Proposal): string {
  return Object.keys(it.set)
    .map((key) => `${key}: ${sayValue(it.set[key]!)} (now ${sayValue(it.now[key]!)})`)
    .join(', ');
}

/** One sentence: what the run would need, what there is, and what would fit. */
export function refusal(cost: Cost, limits: Limits, proposals: Proposal[]): string {
  const needs = `this run would take about ${saySeconds(cost.seconds)} and ${sayBytes(cost.bytes)}`;
  const fit = proposals.length > 0
    ? `it fits with ${proposals.map(sayProposal).join('; or with ')}`
    : 'use fewer trials, basis signals or rules, or run it with the command cfpc';
  return `${needs}, and a page has ${sayLimit(limits)}; ${fit}`;
}
