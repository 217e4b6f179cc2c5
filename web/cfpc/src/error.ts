// SPDX-License-Identifier: Apache-2.0
import type { Place, Reached, Why } from './types';

/** What a call of cfpc throws. `message` is one line for a person; it begins with the place, where it has one. */
export class CfpcError extends Error implements Why {
  readonly outcome: Why['outcome'];
  readonly place?: Place;
  readonly reached?: Reached;

  constructor(why: Why) {
    super(why.message);
    this.name = 'CfpcError';
    this.outcome = why.outcome;
    if (why.place) this.place = why.place;
    if (why.reached) this.reached = why.reached;
  }
}

/** The input is bad. */
export function refuse(message: string): never {
  throw new CfpcError({ outcome: 'refused', message });
}

/** The deadline of a call has passed. */
export function late(deadlineMs: number, reached: Reached): Why {
  const { done, total } = reached;
  const far = done > 0 ? `at ${Math.floor((100 * done) / total)} %` : 'while it was set up';
  return { outcome: 'late', message: `stopped after ${Number((deadlineMs / 1e3).toPrecision(3))} s, ${far}`, reached };
}

/** A sentence about anything that was thrown. */
export function sentenceOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The plain data of an error, to send it to another thread. */
export function whyOf(error: CfpcError): Why {
  const { outcome, message, place, reached } = error;
  return { outcome, message, ...(place ? { place } : {}), ...(reached ? { reached } : {}) };
}

/** What a caller's own function threw, on its way back to the caller. */
export class Passed {
  constructor(readonly thrown: unknown) {}
}
