// SPDX-License-Identifier: Apache-2.0
// build: bundles the package into dist/: node cfpc/build.mjs, after `cmake --build --preset web`.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { parse } from 'yaml';

const here = new URL('./', import.meta.url);
const root = new URL('../../', here);
const path = (name, base = here) => fileURLToPath(new URL(name, base));
const wasm = path('build/web/cfpc-native.wasm', root);

/** The published hash of each experiment's result. */
async function hashes() {
  const text = await readFile(new URL('experiments/HASHES', root), 'utf8');
  return Object.fromEntries([...text.matchAll(/^([\w-]+) ([0-9a-f]{16})$/gm)].map(([, name, hash]) => [name, hash]));
}

/** The experiments of `cfpc list`, in its order. */
async function experiments() {
  const folder = new URL('experiments/', root);
  const published = await hashes();
  const names = (await readdir(folder)).filter((name) => /^[^.].*\.yaml$/.test(name)).map((name) => name.slice(0, -5));
  names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(`${name}.yaml`, folder), 'utf8');
      return { name, title: parse(text).title, text, hash: published[name] };
    }),
  );
}

const settings = { bundle: true, minify: true, target: 'es2020', legalComments: 'none', logLevel: 'warning' };

async function bundle() {
  await build({
    ...settings,
    entryPoints: [path('src/cfpc.ts'), path('src/local.ts')],
    outdir: path('dist'),
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
  });
  await build({ ...settings, entryPoints: [path('src/worker.ts')], outfile: path('dist/worker.js'), format: 'iife' });
}

/** The types that callers see, of cfpc.d.ts and what it imports; Node wants file endings in their imports. */
async function declare() {
  const out = path('dist/all-types');
  execFileSync(
    process.execPath,
    [path('../node_modules/typescript/bin/tsc'), '-p', path('tsconfig.json'), '--outDir', out],
    { stdio: 'inherit' },
  );
  const names = new Set(['cfpc']);
  for (const name of names) {
    const text = await readFile(`${out}/${name}.d.ts`, 'utf8');
    for (const [, imported] of text.matchAll(/from '\.\/(\w+)'/g)) names.add(imported);
    await writeFile(path(`dist/${name}.d.ts`), text.replace(/(from '\.\/\w+)'/g, "$1.js'"));
  }
  await rm(out, { recursive: true });
}

/** The licenses of what is in the bundles. */
async function notices() {
  const emscripten = await readFile(path('licenses/emscripten.txt'), 'utf8');
  return (
    `local.js, worker.js and cfpc-native.wasm contain parts of Emscripten's runtime (https://emscripten.org):\n\n` +
    emscripten
  );
}

export async function buildPackage() {
  await rm(path('dist'), { recursive: true, force: true });
  await mkdir(path('dist'));
  await bundle();
  await declare();
  await copyFile(wasm, path('dist/cfpc-native.wasm'));
  await copyFile(path('LICENSE', root), path('LICENSE'));
  await writeFile(path('dist/THIRD-PARTY.txt'), await notices());
  await writeFile(path('dist/experiments.json'), JSON.stringify(await experiments()));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPackage();
