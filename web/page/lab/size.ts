// SPDX-License-Identifier: Apache-2.0
// size: what a run is predicted to need, and whether a page can give it.

import type { Cost } from '../../cfpc/src/types';
import { bytes, number } from '../parts/number';

const DEFAULT_LIMITS = { seconds: 60, bytes: 1e9 };

export interface Size {
  fits: boolean;
  /** One sentence; '': nothing is known. */
  says: string;
}

function time(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  return seconds < 90 ? `about ${number(seconds, 1)} s` : `about ${number(seconds / 60, 1)} minutes`;
}

export function sizeOf(cost: Cost): Size {
  if (!Number.isFinite(cost.seconds) || !Number.isFinite(cost.bytes)) return { fits: true, says: '' };
  const fits = cost.seconds <= DEFAULT_LIMITS.seconds && cost.bytes <= DEFAULT_LIMITS.bytes;
  const needs = `A run takes ${time(cost.seconds)} and ${bytes(cost.bytes)}`;
  return fits
    ? { fits, says: `${needs}.` }
    : { fits, says: `${needs}: too large for a page, which gives ${time(DEFAULT_LIMITS.seconds)} and ${bytes(DEFAULT_LIMITS.bytes)}. Run shows what would fit.` };
}
