// SPDX-License-Identifier: Apache-2.0
// read_by: the specs of tests/specs/refused.json through npm's yaml: read_by.mjs PROGRAM, which is
// tests/lab/spec/read_by.c. yaml must say the same as libfyaml, at the same place, and make the same
// trees of what both read.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundled } from './bundled.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OWN_WORDS = 'this is not YAML'; // what follows is the parser's

export function corpusOf() {
  return JSON.parse(readFileSync(join(ROOT, 'tests/specs/refused.json'), 'utf8'));
}

/** A tree that writes down what it is told, for the program to repeat. */
class Calls {
  lines = [];

  tell(name, line = 0, column = 0, text = undefined) {
    const head = `${name} ${line} ${column}`;
    this.lines.push(text === undefined ? `${head}\n` : `${head} ${Buffer.byteLength(text)}\n${text}\n`);
  }

  map(line, column) { this.tell('map', line, column); }
  list(line, column) { this.tell('list', line, column); }
  end() { this.tell('end'); }
  key(text, line, column) { this.tell('key', line, column, text); }
  scalar(text, line, column) { this.tell('scalar', line, column, text); }
  alias(line, column) { this.tell('alias', line, column); }
  otherKey(line, column) { this.tell('other_key', line, column); }
  nul(line, column) { this.tell('nul', line, column); }
  second() { this.tell('second'); }
  error(says, line, column) { this.tell('error', line, column, says); }
}

/** The answer to what the program asked last, or undefined if its question is not whole. */
function answer(said, read) {
  const head = /^parse (\d+)\n/m.exec(said.toString('latin1')); // one letter per byte
  const start = head ? head.index + head[0].length : 0;
  const end = start + Number(head?.[1] ?? 0);
  if (!head || said.length <= end) return undefined;
  const calls = new Calls();
  read(said.subarray(start, end).toString('utf8'), calls);
  return { lines: `${calls.lines.join('')}done\n`, rest: Buffer.concat([said.subarray(0, head.index), said.subarray(end + 1)]) };
}

/** What the program says, each text that it asks about being parsed here; without read: by libfyaml there. */
export function ask(program, read, folder, ...words) {
  return new Promise((done, fail) => {
    const child = spawn(program, [...(read ? [] : ['--libfyaml']), ...words], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    let said = Buffer.alloc(0);
    child.stdout.on('data', (bytes) => {
      said = Buffer.concat([said, bytes]);
      for (let it; read && (it = answer(said, read)); said = it.rest) child.stdin.write(it.lines);
    });
    child.on('error', fail);
    child.on('close', (code) => (code === 0 ? done(said.toString('utf8')) : fail(new Error(`${words}: ends with ${code}`))));
  });
}

function textOf(of, bases) {
  if ('text' in of) return Buffer.from(of.text, of.latin1 ? 'latin1' : 'utf8');
  const base = bases[of.base];
  if (!('from' in of)) return Buffer.from(base + (of.to ?? ''));
  const pieces = base.split(of.from);
  if (pieces.length !== 2) throw new Error(`'${of.from}' does not stand once in the spec`);
  return Buffer.from(pieces.join(of.to));
}

function writeCase(folder, of, bases) {
  writeFileSync(join(folder, 'spec.yaml'), textOf(of, bases));
  rmSync(join(folder, 'm.yaml'), { force: true });
  if ('model' in of) writeFileSync(join(folder, 'm.yaml'), of.model);
}

const before = (words) => words.split(OWN_WORDS)[0];

/** Whether the outcome is that of the case, up to the parser's own words. */
function isSaid(said, of) {
  const [outcome, why] = said.split('\n');
  const isOwn = of.says.includes(OWN_WORDS);
  const same = isOwn ? why.startsWith(before(of.says) + OWN_WORDS) : why === of.says;
  return outcome === `outcome 2 ${of.line ?? 0} ${of.column ?? 0}` && same;
}

/** What is not as the file says, one text each. */
export async function* faults(program, corpus, read, folder) {
  const by = (...words) => ask(program, read, folder, ...words);
  const byLibfyaml = (...words) => ask(program, null, folder, ...words);
  const bases = { small: corpus.small, pursuit: readFileSync(join(ROOT, 'experiments/pursuit.yaml'), 'utf8') };
  for (const of of corpus.cases) {
    writeCase(folder, of, bases);
    const said = await by('spec.yaml', ...(of.set ?? []));
    if (!isSaid(said, of)) yield `${JSON.stringify(of)}\n  says ${said}`;
  }
  for (const text of corpus.trees) {
    writeFileSync(join(folder, 'spec.yaml'), text);
    const [ours, theirs] = [await by('--tree', 'spec.yaml'), await byLibfyaml('--tree', 'spec.yaml')];
    if (ours !== theirs || !ours.includes('outcome 0')) yield `${JSON.stringify(text)} is\n${ours}not\n${theirs}`;
  }
  for (const of of corpus.differ) {
    writeFileSync(join(folder, 'spec.yaml'), of.text);
    const said = (await by('--tree', 'spec.yaml')).trimEnd().split('\n').pop();
    const says = said.startsWith('outcome 0') ? 'ok' : said;
    if (before(says) !== before(of.yaml ?? '')) yield `${JSON.stringify(of)}\n  says ${said}`;
  }
  for (const file of readdirSync(join(ROOT, 'experiments')).filter((name) => name.endsWith('.yaml')).sort()) {
    const spec = join(ROOT, 'experiments', file);
    if ((await by('--tree', spec)) !== (await byLibfyaml('--tree', spec))) yield `${file} has another tree`;
  }
}

async function main(program) {
  const corpus = corpusOf();
  const folder = mkdtempSync(join(tmpdir(), 'cfpc-'));
  const { read } = await bundled('cfpc/src/reader.ts');
  let count = 0;
  for await (const fault of faults(resolve(program), corpus, read, folder)) {
    console.log(fault);
    count++;
  }
  rmSync(folder, { recursive: true });
  if (count === 0) console.log(`${corpus.cases.length} specs and ${corpus.trees.length} trees are the same`);
  return count > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main(process.argv[2]);
