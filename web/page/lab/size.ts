// SPDX-License-Identifier: Apache-2.0
// size: what a run is predicted to need, and whether a page can give it.
import { DEFAULT_LIMITS, fits, sayBytes, saySeconds } from '../../cfpc/src/fit';
import type { Cost } from '../../cfpc/src/types';

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
