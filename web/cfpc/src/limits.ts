// SPDX-License-Identifier: Apache-2.0
// limits: what a run may need, as an option says it; what a run that needs more is refused with.
import { parse } from 'yaml';
import { CfpcError } from './error';
import { DEFAULT_LIMITS, fits, refusal, whatFits, type Ask } from './fit';
import { above, record } from './given';
import type { Cost, Limits, Options } from './types';

export function givenLimits(options: Options | undefined): Limits | null {
  const limits: unknown = options?.limits;
  if (limits === undefined) return DEFAULT_LIMITS;
  if (limits === null) return null;
  const it = record(limits, 'options.limits', ['seconds', 'bytes']);
  return { seconds: above(it.seconds, 'options.limits.seconds', 0), bytes: above(it.bytes, 'options.limits.bytes', 0) };
}

/** Refuses what does not fit. `text`: the spec with every default; `ask`: what other settings of it would need. */
export function enforce(limits: Limits | null, cost: Cost, text: () => string, ask: Ask): void {
  if (limits === null || fits(cost, limits)) return;
  const message = refusal(cost, limits, whatFits(parse(text()), limits, ask));
  throw new CfpcError({ outcome: 'refused', message });
}
