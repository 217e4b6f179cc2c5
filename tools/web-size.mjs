// SPDX-License-Identifier: Apache-2.0
// web-size: what a first visit to each page loads, compressed as a host sends it: node tools/web-size.mjs SITE
// Counted are the files of the site that the service worker keeps for use without a network, which are all that any
// page needs.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

const MAX_BYTES = 600_000;
const site = process.argv[2];

function* files(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else yield path;
  }
}

const sizes = [...files(site)].map((path) => {
  const bytes = readFileSync(path);
  return { path: relative(site, path), bytes: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length };
});
sizes.sort((a, b) => b.gzipped - a.gzipped);
for (const { path, bytes, gzipped } of sizes) console.log(`${gzipped.toString().padStart(8)} of ${bytes.toString().padStart(8)}  ${path}`);
const all = sizes.reduce((sum, { gzipped }) => sum + gzipped, 0);
console.log(`${all} bytes gzipped in ${sizes.length} files; at most ${MAX_BYTES}`);
process.exitCode = all < MAX_BYTES && existsSync(join(site, 'index.html')) ? 0 : 1;
