// SPDX-License-Identifier: Apache-2.0
// claims: what an experiment claims, and whether it holds; in words, not only in colour.
import type { Claim, Measure, Result } from '../../cfpc/src/types';
import { number, withUnit } from '../parts/number';
import { el, tableOf } from './dom';

export type Verdict = 'holds' | 'fails' | 'does not apply';

export function verdictOf(claim: Claim): Verdict {
  if (!claim.applies) return 'does not apply';
  return claim.holds ? 'holds' : 'fails';
}

/** "85 to 115", "at most 0.05". */
export function rangeOf(claim: Claim): string {
  const low = Number.isFinite(claim.low);
  const high = Number.isFinite(claim.high);
  if (low && high) return `${number(claim.low, 4)} to ${number(claim.high, 4)}`;
  if (high) return `at most ${number(claim.high, 4)}`;
  return low ? `at least ${number(claim.low, 4)}` : 'any value';
}

/** "13 of 14 claims hold; 1 fails". */
export function countOf(claims: Claim[]): string {
  if (claims.length === 0) return 'This spec makes no claims.';
  const of = (verdict: Verdict): number => claims.filter((claim) => verdictOf(claim) === verdict).length;
  const [fails, not] = [of('fails'), of('does not apply')];
  const parts = [`${of('holds')} of ${claims.length} claims hold`];
  if (fails > 0) parts.push(`${fails} ${fails === 1 ? 'fails' : 'fail'}`);
  if (not > 0) parts.push(`${not} ${not === 1 ? 'does' : 'do'} not apply with these settings`);
  return `${parts.join('; ')}.`;
}

function unitOf(measures: Measure[], claim: Claim): string {
  return measures.find((one) => one.name === claim.measure)?.unit ?? '';
}

export function claimsTable(result: Result): HTMLElement {
  if (result.claims.length === 0) return el('p', {}, countOf([]));
  return tableOf(
    countOf(result.claims),
    ['claim', 'measured', 'range', 'verdict'],
    result.claims.map((claim) => {
      const verdict = verdictOf(claim);
      return [
        claim.says,
        withUnit(claim.measured, unitOf(result.measures, claim), 4),
        rangeOf(claim),
        el('span', { class: `verdict ${verdict.replace(/ /g, '-')}` }, verdict),
      ];
    }),
  );
}
