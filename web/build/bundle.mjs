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

/** The pages only talk to the worker: what is in WebAssembly's own file must not come along. */
const withoutNative = {
  name: 'without-native',
  setup(build) {
    build.onResolve({ filter: /cfpc-native\.mjs$/ }, () => ({ path: 'native', namespace: 'none', sideEffects: false }));
    build.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default undefined;' }));
  },
};

export async function bundle(here, out) {
  await build({
    ...common(here),
    entryPoints: ['page/index.ts', 'page/lab.ts', 'page/style.css'],
    outdir: out,
    splitting: true,
    chunkNames: '[name]-[hash]',
    plugins: [withoutNative],
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
