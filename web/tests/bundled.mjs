// SPDX-License-Identifier: Apache-2.0
// bundled: a TypeScript module of this folder as Node can import it, without a build of the package.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const WEB = fileURLToPath(new URL('..', import.meta.url));

/** The module of a file, such as page/lab/left.ts. */
export async function bundled(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    absWorkingDir: WEB,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser', // the same yaml as in the page
    target: 'es2020',
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
