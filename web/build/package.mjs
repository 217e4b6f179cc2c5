// SPDX-License-Identifier: Apache-2.0
// package: cfpc/dist, made anew where it is missing or older than what it is made of.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MADE = ['cfpc.js', 'cfpc.d.ts', 'worker.js', 'cfpc-native.wasm', 'experiments.json'];

function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

export async function buildPackage(here) {
  const dist = join(here, 'cfpc/dist');
  const root = join(here, '..');
  const sources = [
    join(here, 'cfpc/src'),
    join(root, 'experiments'),
    join(root, 'build/web/cfpc-native.mjs'),
    join(root, 'build/web/cfpc-native.wasm'),
    join(here, 'cfpc/build.mjs'),
  ];
  const oldest = Math.min(...MADE.map((name) => newest(join(dist, name))));
  if (oldest < Math.max(...sources.map(newest))) {
    execFileSync(process.execPath, [join(here, 'cfpc/build.mjs')], { cwd: here, stdio: 'inherit' });
  }
  const missing = MADE.filter((name) => !existsSync(join(dist, name)));
  if (missing.length) throw new Error(`web/cfpc/dist lacks ${missing.join(', ')}: build the package first (make web)`);
  return dist;
}
