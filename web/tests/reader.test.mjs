// SPDX-License-Identifier: Apache-2.0
// The reader: places as cfpc/lab.h says, the corpus of refused specs as libfyaml reads it, and texts that
// nobody would write.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';
import { ROOT, corpusOf, faults } from './read_by.mjs';

const { read } = await bundled('cfpc/src/reader.ts');
const PROGRAM = process.env.CFPC_READ_BY ?? join(ROOT, 'build/release/bin/read_by');

/** What is told of a text, one word per call: key a@1:1. */
function told(text) {
  const calls = [];
  const call = (name) => (...told) => {
    const place = told.slice(-2).join(':');
    const words = told.length > 2 ? ` ${JSON.stringify(told[0])}` : '';
    calls.push(`${name}${words}${told.length > 0 ? `@${place}` : ''}`);
  };
  const names = ['map', 'list', 'end', 'key', 'scalar', 'alias', 'otherKey', 'nul', 'second'];
  const tree = Object.fromEntries(names.map((name) => [name, call(name)]));
  read(text, { ...tree, error: (says, line, column) => calls.push(`error@${line}:${column}`) });
  return calls.join(' ');
}

// ---- places ----------------------------------------------------------------------------------------

test('a scalar is where its text begins: after the quote, and in the line after the sign of a block', () => {
  assert.equal(told('a: b'), 'map@1:1 key "a"@1:1 scalar "b"@1:4 end');
  assert.equal(told(`'a': "b"`), 'map@1:1 key "a"@1:2 scalar "b"@1:7 end');
  assert.equal(told('a: |\n  b\n'), 'map@1:1 key "a"@1:1 scalar "b\\n"@2:1 end');
  assert.equal(told('a: !t &x "b"'), 'map@1:1 key "a"@1:1 scalar "b"@1:11 end');
});

test('a value that is not written has no place', () => {
  assert.equal(told('a:\nb: [""]'), 'map@1:1 key "a"@1:1 scalar ""@0:0 key "b"@2:1 list@2:4 scalar ""@2:6 end end');
  assert.equal(told('{a, b: }'), 'map@1:1 key "a"@1:2 scalar ""@0:0 key "b"@1:5 scalar ""@0:0 end');
});

test('columns count characters, and lines end at \\n, \\r and \\r\\n', () => {
  assert.equal(told('{😀: τ, b: 1}'), 'map@1:1 key "😀"@1:2 scalar "τ"@1:5 key "b"@1:8 scalar "1"@1:11 end');
  for (const end of ['\n', '\r', '\r\n'])
    assert.equal(told(`a: 1${end}b: 2${end}`), 'map@1:1 key "a"@1:1 scalar "1"@1:4 key "b"@2:1 scalar "2"@2:4 end');
  assert.equal(told('\ufeffa: 1'), 'map@1:1 key "a"@1:1 scalar "1"@1:4 end');
});

test('scalars are texts, as they are written', () => {
  const words = ['on', '012', '12:30', '~', '.inf', '0x1f', '1_000', '1e3'];
  for (const word of words) assert.equal(told(`a: ${word}`), `map@1:1 key "a"@1:1 scalar "${word}"@1:4 end`);
  assert.equal(told('%YAML 1.1\n---\n<<: yes'), 'map@3:1 key "<<"@3:1 scalar "yes"@3:5 end');
});

test('what a spec must not hold has a call of its own', () => {
  assert.match(told('a: *b'), /alias@1:5/);
  assert.match(told('? [[b], c]\n: 1'), /otherKey@1:5/);
  assert.match(told('? {b: c}\n: 1'), /otherKey@0:0/);
  assert.match(told('a: "b\\0"'), /nul@1:5/);
  assert.match(told('a: 1\n---\nb: 2'), /end second$/);
  assert.match(told('a: 1\n---\nb: ]'), /end error@3:4$/);
  assert.equal(told('a: 1\nb: ]'), 'error@2:4', 'an error comes first');
  assert.equal(told('a: "\\ud83d\\ude00"'), 'error@1:5', 'two halves are no letter');
});

// ---- the corpus ------------------------------------------------------------------------------------

test('every spec of the corpus is refused as by libfyaml, and the trees are the same', { skip: !existsSync(PROGRAM) && `there is no ${PROGRAM}` }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cfpc-'));
  const found = [];
  for await (const fault of faults(PROGRAM, corpusOf(), read, folder)) found.push(fault);
  rmSync(folder, { recursive: true });
  assert.deepEqual(found, []);
});

// ---- texts that nobody would write -----------------------------------------------------------------

/** A tree that sees whether the calls make one. */
class Checked {
  open = [];
  errors = 0;
  roots = 0;

  value() {
    const top = this.open.at(-1);
    if (!top) this.roots++;
    else if (top.isMap) assert.ok(top.hasKey, 'a value in a map has a key');
    if (top) top.hasKey = false;
  }

  name() {
    const top = this.open.at(-1);
    assert.ok(top?.isMap && !top.hasKey, 'a key is in a map, and not after a key');
    top.hasKey = true;
  }

  map() { this.value(); this.open.push({ isMap: true, hasKey: false }); }
  list() { this.value(); this.open.push({ isMap: false, hasKey: false }); }
  end() { assert.equal(this.open.pop().hasKey, false); }
  key() { this.name(); }
  scalar() { this.value(); }
  alias() { this.errors++; const top = this.open.at(-1); if (top?.isMap && !top.hasKey) this.name(); else this.value(); }
  otherKey() { this.errors++; this.name(); }
  nul() { this.alias(); }
  second() { this.errors++; }
  error(says, line, column) {
    assert.ok(says.length > 0 && Number.isInteger(line) && Number.isInteger(column));
    this.errors++;
  }
}

function assertWhole(text) {
  const tree = new Checked();
  read(text, tree);
  assert.equal(tree.open.length, 0);
  assert.ok(tree.roots <= 1);
  return tree;
}

test('63 maps and lists within each other are read; the 64th is refused where it begins', () => {
  const nested = (count) => `a: ${'['.repeat(count)}1${']'.repeat(count)}`;
  assert.equal(assertWhole(nested(62)).errors, 0);
  assert.equal(told(nested(63)), 'error@1:66');
  assert.equal(told(`a: ${'[b: '.repeat(32)}1${']'.repeat(32)}`), 'error@1:128'); // each holds a map
});

test('texts of 1 MB that are nested without end are refused', () => {
  for (const piece of ['[', '{a: ', '- ', '? ', ': '])
    assert.equal(assertWhole(piece.repeat(1e6 / piece.length)).errors, 1, JSON.stringify(piece));
});

test('time is proportional to the length of a text', () => {
  const pieces = ['abc: 12\n', '{😀: 1}, ', 'a: "\n', "'", ']', 'a:\n  b: 1\n c: 2\n', 'a: [\n', '&x ', '  # x\n', '...\n'];
  const seconds = (text) => {
    const start = process.cpuUsage();
    assertWhole(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  };
  seconds(pieces.join('')); // compiled
  for (const piece of pieces) {
    const [short, long] = [10000, 80000].map((length) => seconds(`a: ${piece.repeat(length / piece.length)}`));
    assert.ok(long < 0.2 + 24 * short, `${JSON.stringify(piece)}: ${short} s, and ${long} s for 8 times as much`);
  }
});

/** Numbers from 0 to 1, the same for a seed. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 0x1000000;
  };
}

const PIECES = ['\n', '\n  ', ' ', '\t', '\r', ': ', ':', '- ', '? ', '[', ']', '{', '}', ',', '"', "'", '\\', '#', '|', '>', '&x ', '*x', '!t ', '%', '---', '...', '\0', '\ufeff', '\ud800', '😀', '\u2028'];

function mutated(texts, next) {
  const pick = (from) => from[Math.floor(next() * from.length)];
  let text = pick(texts);
  for (let count = 1 + Math.floor(next() * 4); count > 0; count--) {
    const at = Math.floor(next() * (text.length + 1));
    const cut = Math.floor(next() * 3);
    text = next() < 0.1 ? text.slice(0, at) + pick(texts) : text.slice(0, at) + pick(PIECES) + text.slice(at + cut);
  }
  return text;
}

test('whatever a text holds, the reader tells a whole tree or an error', () => {
  const { cases, trees, differ, small } = corpusOf();
  const texts = [small, ...trees, ...[...cases, ...differ].map(({ text }) => text ?? '')].filter((text) => text.length < 2000);
  const next = random(19);
  let refused = 0;
  for (let count = 0; count < 5000; count++) {
    const text = mutated(texts, next);
    try {
      refused += assertWhole(text).errors > 0 ? 1 : 0;
    } catch (error) {
      throw new Error(`${JSON.stringify(text)}: ${error.message}`);
    }
  }
  assert.ok(refused > 1000 && refused < 4500, `${refused} of 5000 are refused`);
});

test('random letters are read or refused', () => {
  const next = random(7);
  for (let count = 0; count < 300; count++)
    assertWhole(String.fromCharCode(...Array.from({ length: 200 }, () => Math.floor(next() * (count % 2 ? 128 : 65536)))));
});
