// SPDX-License-Identifier: Apache-2.0
// The package as others get it: packed, installed in an empty folder, imported, compiled against, its README's example.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const read = (name) => readFileSync(path(name), 'utf8');
const { version } = JSON.parse(read('../cfpc/package.json'));
let folder;

const run = (program, ...args) =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'cfpc-npm-'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: path('../cfpc/'), stdio: 'pipe' });
  writeFileSync(join(folder, 'package.json'), '{"name": "user", "private": true, "type": "module"}');
  run('npm', 'install', '--silent', '--offline', '--no-audit', '--no-fund', `./cfpc-${version}.tgz`);
});

after(() => rmSync(folder, { recursive: true }));

/** Runs a program of someone who installed the package. */
function user(name, text) {
  writeFileSync(join(folder, name), text);
  return run(process.execPath, name);
}

test('the version is that of CMakeLists.txt', () => {
  assert.equal(version, /project\(cfpc VERSION ([\d.]+)/.exec(read('../../CMakeLists.txt'))[1]);
});

test('pursuit runs in an empty folder, and all claims hold', () => {
  const says = user(
    'pursuit.mjs',
    `
    import { readFileSync } from 'node:fs';
    import { createRequire } from 'node:module';
    import { connect, load } from 'cfpc';
    const experiments = createRequire(import.meta.url)('cfpc/experiments.json');
    const spec = { text: experiments.find((it) => it.name === 'pursuit').text };
    const remote = await connect();
    for (const cfpc of [await load(), remote]) {
      const { ok, claims, version } = await cfpc.run(spec);
      console.log(version, ok, claims.length, claims.every((it) => it.applies && it.holds));
    }
    remote.close();`,
  );
  assert.equal(says, `${version} true 14 true\n`.repeat(2));
});

test("the README's example runs as it stands", () => {
  const [example] = /(?<=```js\n)import \{ load \}.*?(?=```)/s.exec(read('../cfpc/README.md'));
  const lines = user('readme.mjs', example).trim().split('\n');
  assert.equal(lines.length, 2);
  const [, first, last] = /^fm-et: (\S+) at trial 1, (\S+) rRMSE at trial 50$/.exec(lines[0]);
  assert.equal(Number(first), 1);
  assert.ok(Number(last) < 0.2);
});

const PROGRAM = `
import { CfpcError, connect, load, type Cfpc, type Learned, type Remote, type Result } from 'cfpc';
const cfpc: Cfpc = await load();
const remote: Remote = await connect({ onRestart: (says: string) => console.log(says) });
const result: Result = await remote.run({ text: '' }, { set: { 'loop.delay_ms': 40 }, deadlineMs: 60000 });
const curve: Float64Array | undefined = result.datasets['curves/fm-et']?.values;
const learned: Learned = cfpc.learn({ loop: { stepMs: 1, stages: [], kp: 1, kiPerS: 0, delayMs: 0 },
  basis: { count: 1, widthMs: 1, spacingMs: 1 }, trace: { kind: 'none' }, rateFraction: 1, trials: 1, r: new Float64Array(1) });
try { cfpc.check({ text: '' }); } catch (thrown) { if (thrown instanceof CfpcError) console.log(thrown.place?.line); }
console.log(curve, learned.optimum);
`;

function compile(text, ...how) {
  writeFileSync(join(folder, 'user.ts'), text);
  return run(
    process.execPath,
    path('../node_modules/typescript/bin/tsc'),
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--target',
    'ES2022',
    ...how,
    'user.ts',
  );
}

test('a TypeScript program compiles against it, for Node and for a bundler, and a wrong one does not', () => {
  const ways = [
    ['--module', 'NodeNext', '--moduleResolution', 'NodeNext'],
    ['--module', 'ESNext', '--moduleResolution', 'Bundler'],
  ];
  for (const how of ways) {
    assert.equal(compile(PROGRAM, ...how), '');
    assert.throws(
      () => compile(PROGRAM.replace("kind: 'none'", "kind: 'nothing'"), ...how),
      (error) => /TS2322/.test(error.stdout),
    );
  }
});

test('what is in the bundles is named with its license', () => {
  const notices = readFileSync(join(folder, 'node_modules/cfpc/dist/THIRD-PARTY.txt'), 'utf8');
  assert.match(notices, /Emscripten/);
  for (const name of ['local.js', 'worker.js']) // npm's yaml would name its errors so
    assert.doesNotMatch(readFileSync(join(folder, 'node_modules/cfpc/dist', name), 'utf8'), /YAMLParseError/);
});
