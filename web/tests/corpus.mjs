// SPDX-License-Identifier: Apache-2.0
// corpus: the specs of tests/specs/refused.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export function corpusOf() {
  return JSON.parse(readFileSync(join(ROOT, 'tests/specs/refused.json'), 'utf8'));
}

/** The text of a case; undefined if it is no text to JavaScript. */
export function textOf(corpus, { text, latin1, base, from, to = '' }) {
  if (text !== undefined) return latin1 ? undefined : text;
  const whole = base === 'small' ? corpus.small : readFileSync(join(ROOT, 'experiments', `${base}.yaml`), 'utf8');
  return from === undefined ? whole + to : whole.replace(from, () => to);
}
