// SPDX-License-Identifier: Apache-2.0
// left: how long the rest of a run takes, from what was done since it first told how far it is: setting it up is no
// part of that.
import { number } from '../parts/number';

const LEAST_MS = 500; // less tells nothing

export function duration(seconds: number): string {
  if (seconds < 100) return `${number(Math.max(1, Math.round(seconds)))} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} minutes` : `${number(seconds / 3600, 2)} hours`;
}

/** Told of every progress, says "about 8 s left"; '': it does not know yet. */
export function timeLeft(): (done: number, total: number, nowMs: number) => string {
  let first: { done: number; ms: number } | undefined;
  return (done, total, nowMs) => {
    first ??= { done, ms: nowMs };
    const pieces = done - first.done;
    const ms = nowMs - first.ms;
    return pieces > 0 && ms >= LEAST_MS ? `about ${duration(((ms / pieces) * (total - done)) / 1e3)} left` : '';
  };
}
