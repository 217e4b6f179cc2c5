#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// build: the site, from page/ and the package cfpc: node web/build.mjs [FOLDER] (default: out/web)
// All addresses in it are relative: the folder can be put anywhere on any server.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from './build/package.mjs';
import { bundle, bundleOffline } from './build/bundle.mjs';
import { staticFigures } from './build/figures.mjs';
import { html } from './build/html.mjs';
import { filesOf, hashOf, report } from './build/files.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PACKAGE_FILES = ['worker.js', 'cfpc-native.wasm', 'experiments.json'];

async function build(site) {
  const dist = await buildPackage(HERE);
  // Beside the old one, which is replaced only by a whole one.
  const made = `${site}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(join(made, 'figures'), { recursive: true });

  await bundle(HERE, made);
  for (const name of PACKAGE_FILES) writeFileSync(join(made, name), readFileSync(join(dist, name)));
  const figures = await staticFigures(HERE, dist);
  for (const { id, svg } of figures) writeFileSync(join(made, 'figures', `${id}.svg`), svg);
  const version = hashOf(made);
  for (const page of ['index.html', 'lab.html']) writeFileSync(join(made, page), await html(HERE, page, figures, version));
  await bundleOffline(HERE, made, filesOf(made), hashOf(made));

  rmSync(site, { recursive: true, force: true });
  renameSync(made, site);
  report(site);
}

const site = resolve(process.argv[2] ?? join(HERE, '../out/web'));
if (!existsSync(join(HERE, 'node_modules'))) {
  console.error('web/build.mjs: the packages are not installed; run "npm ci" in web/, or "make web"');
  process.exit(1);
}
try {
  await build(site);
} catch (why) {
  console.error(`web/build.mjs: ${why instanceof Error ? why.message : why}`);
  process.exit(1);
}
