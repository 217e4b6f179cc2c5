#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// build: the site, from page/ and the package cfpc: node web/build.mjs [FOLDER] (default: out/web)
// All addresses in it are relative: the folder can be put anywhere on any server.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));

try {
  if (!existsSync(join(HERE, 'node_modules/esbuild'))) {
    throw new Error('the packages are not installed; run "npm ci" in web/, or "make web"');
  }
  const { buildSite } = await import('./build/site.mjs');
  await buildSite(HERE, resolve(process.argv[2] ?? join(HERE, '../out/web')));
} catch (why) {
  console.error(`web/build.mjs: ${why instanceof Error ? why.message : why}`);
  process.exit(1);
}
