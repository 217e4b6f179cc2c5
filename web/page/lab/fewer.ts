// SPDX-License-Identifier: Apache-2.0
// fewer: the spec with as many trials as a run that was stopped had time for.
import { numbersOf, withNumber } from '../../cfpc/src/numbers';

const TRIALS = /^((learning|phases\.[^.]+|zone|scale|population)\.trials|population\.count)$/;

export interface Fewer {
  text: string;
  /** "310 trials", or a share of them where several numbers are less. */
  says: string;
}

/** Two digits, down: what was measured has no more. */
function rounded(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.max(1, Math.floor(value / unit) * unit);
}

/** With this share of its trials; undefined: it has none that could be left out. */
export function withFewer(text: string, share: number): Fewer | undefined {
  const fewer = numbersOf(text)
    .filter(({ path, value }) => TRIALS.test(path) && rounded(share * value) < value)
    .map((at) => ({ at, value: rounded(share * at.value) }));
  if (fewer.length === 0) return undefined;
  return {
    text: fewer.reduceRight((now, { at, value }) => withNumber(now, at, value), text),
    says: fewer.length === 1 ? `${fewer[0]!.value} trials` : `${Math.floor(100 * share)} % of the trials`,
  };
}
