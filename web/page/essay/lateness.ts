// SPDX-License-Identifier: Apache-2.0
// lateness: a lag in words.
import { withUnit } from '../parts/number';

/** "92 ms after the dot", to the millisecond; a negative lag is a lead. */
export function lateness(lagMs: number): string {
  if (Number.isNaN(lagMs)) return 'never';
  const whole = Math.round(lagMs);
  if (whole === 0) return 'with the dot';
  return `${withUnit(Math.abs(whole), 'ms')} ${whole > 0 ? 'after' : 'before'} the dot`;
}
