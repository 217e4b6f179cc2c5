// SPDX-License-Identifier: Apache-2.0
// The corpus of refused specs: the package says what the command says, at the same place. Settings are no texts here,
// so cases with settings are left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpusOf, textOf } from './corpus.mjs';
import { cfpc } from './package.mjs';

/** What the package says of a case, and where. */
function said(text, model) {
  const files = model === undefined ? {} : { 'm.yaml': model };
  try {
    cfpc.run({ text, file: 'spec.yaml', files });
    return { says: 'it was run' };
  } catch ({ message, place }) {
    return { says: message, line: place?.line || 0, column: place?.column || 0 };
  }
}

test('every spec of the corpus is refused as by the command', () => {
  const corpus = corpusOf();
  let count = 0;
  for (const it of corpus.cases) {
    const text = textOf(corpus, it);
    if (text === undefined || it.set) continue;
    assert.deepEqual(
      said(text, it.model),
      { says: it.says, line: it.line ?? 0, column: it.column ?? 0 },
      it.text ?? it.to,
    );
    count++;
  }
  assert.ok(count > 400, String(count));
});

test('texts with a tree are read', () => {
  for (const text of corpusOf().trees) assert.match(said(text).says, /^spec\.yaml:\d+:\d+: unknown key '/, text);
});
