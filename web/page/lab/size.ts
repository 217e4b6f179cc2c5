// SPDX-License-Identifier: Apache-2.0
// size: what a run is predicted to need, and whether a page can give it.
import { DEFAULT_LIMITS, fits, sayBytes, saySeconds } from '../../cfpc/src/fit';
import type { Cost } from '../../cfpc/src/types';
import { client } from '../parts/client';
import type { Experiment } from './experiments';

export interface Size {
  fits: boolean;
  /** One sentence; '': nothing is known. */
  says: string;
}

export function sizeOf(cost: Cost): Size {
  if (!Number.isFinite(cost.seconds) || !Number.isFinite(cost.bytes)) return { fits: true, says: '' };
  const needs = `A run takes about ${saySeconds(cost.seconds)} and ${sayBytes(cost.bytes)}`;
  if (fits(cost, DEFAULT_LIMITS)) return { fits: true, says: `${needs}.` };
  return {
    fits: false,
    says:
      `${needs}: too large for a page, which has ${saySeconds(DEFAULT_LIMITS.seconds)} and ` +
      `${sayBytes(DEFAULT_LIMITS.bytes)}. “Run” says what would fit.`,
  };
}

const PAUSE_MS = 300;

/** Tells of each experiment that is too large, one by one, while the worker has nothing else to do. */
export async function findTooLarge(list: Experiment[], isIdle: () => boolean, tell: (name: string) => void): Promise<void> {
  for (const { name, text } of list) {
    do await new Promise((next) => setTimeout(next, PAUSE_MS));
    while (!isIdle());
    try {
      const { cost } = await (await client()).check({ text, file: `${name}.yaml` });
      if (!sizeOf(cost).fits) tell(name);
    } catch {
      // Stopped, or refused: it is said when a person chooses it.
    }
  }
}
