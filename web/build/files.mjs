// SPDX-License-Identifier: Apache-2.0
// files: what a folder holds, its hash, and a table of its sizes.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

function* walk(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* walk(path);
    else yield path;
  }
}

/** Relative, with /. */
export function filesOf(folder) {
  return [...walk(folder)].map((path) => relative(folder, path).split('\\').join('/'));
}

/** Of names and contents: any change gives another. */
export function hashOf(folder) {
  const hash = createHash('sha256');
  for (const name of filesOf(folder))
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update('\0');
  return hash.digest('hex').slice(0, 12);
}

export function report(folder) {
  let all = 0;
  let packed = 0;
  const line = (size, gzipped, name) =>
    console.log(`${size.toLocaleString('en').padStart(11)} ${gzipped.toLocaleString('en').padStart(11)}  ${name}`);
  console.log(`${'bytes'.padStart(11)} ${'gzipped'.padStart(11)}  file`);
  for (const name of filesOf(folder)) {
    const bytes = readFileSync(join(folder, name));
    const gzipped = gzipSync(bytes, { level: 9 }).length;
    all += bytes.length;
    packed += gzipped;
    line(bytes.length, gzipped, name);
  }
  line(all, packed, 'total');
}
