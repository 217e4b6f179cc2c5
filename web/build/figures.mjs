// SPDX-License-Identifier: Apache-2.0
// figures: the figures of every chapter as SVG, computed here, for who cannot run the page.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** [{chapter, id, title, says, svg}] */
export async function staticFigures(here, dist) {
  const folder = join(here, 'page/essay');
  const chapters = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^chapter\d+\.ts$/.test(name))
        .sort()
    : [];
  const { load } = await import(pathToFileURL(join(dist, 'cfpc.js')));
  const cfpc = await load();
  const made = mkdtempSync(join(here, 'node_modules/.figures-'));
  try {
    const lines = chapters.map((name, i) => `import * as c${i} from './essay/${name}';`);
    const list = chapters.map((name, i) => `[${/\d+/.exec(name)[0]}, c${i}.staticFigures]`);
    await build({
      stdin: {
        contents: `${lines.join('\n')}\nexport { svg } from './parts/svg';\nexport const chapters = [${list.join(', ')}];`,
        resolveDir: join(here, 'page'),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(made, 'figures.mjs'),
      logLevel: 'error',
    });
    const page = await import(pathToFileURL(join(made, 'figures.mjs')));
    return page.chapters.flatMap(([chapter, figures]) =>
      (figures?.(cfpc) ?? []).map((figure) => ({
        chapter,
        id: figure.id,
        title: figure.title,
        says: figure.says,
        svg: page.svg(figure, { theme: 'both' }),
      })),
    );
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
