// SPDX-License-Identifier: Apache-2.0
// bundle: scripts and style of the pages, by esbuild.
import { join } from 'node:path';
import { build } from 'esbuild';

/** As old as the oldest browser that has all that the pages use. */
export const TARGET = ['es2020', 'chrome88', 'firefox89', 'safari15'];

const common = (here) => ({
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: 'esm',
  target: TARGET,
  legalComments: 'none',
  logLevel: 'warning',
});

/** The pages only talk to the worker: what load() brings into their own thread must not come along. */
const withoutLocal = {
  name: 'without-local',
  setup(build) {
    build.onResolve({ filter: /^\.\/local$/ }, () => ({ path: './local.js', external: true }));
  },
};

export async function bundle(here, out) {
  await build({
    ...common(here),
    entryPoints: ['page/index.ts', 'page/lab.ts', 'page/style.css'],
    outdir: out,
    splitting: true,
    chunkNames: '[name]-[hash]',
    plugins: [withoutLocal],
  });
}

export async function bundleOffline(here, out, files, version) {
  await build({
    ...common(here),
    format: 'iife',
    entryPoints: [join(here, 'page/offline.ts')],
    outfile: join(out, 'offline.js'),
    // './' is what a server shows for the folder: index.html.
    define: { VERSION: JSON.stringify(version), FILES: JSON.stringify(['./', ...files]) },
  });
}
