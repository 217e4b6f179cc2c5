// SPDX-License-Identifier: Apache-2.0
// site: every file of the site, made beside the old one, which is replaced only by a whole one.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, bundleOffline } from './bundle.mjs';
import { staticFigures } from './figures.mjs';
import { filesOf, hashOf, report } from './files.mjs';
import { html } from './html.mjs';
import { buildPackage } from './package.mjs';

const PACKAGE_FILES = ['worker.js', 'cfpc-native.wasm', 'experiments.json'];

/** The folder is emptied: it must be ours. */
function refuseOthers(site) {
  if (!existsSync(site) || readdirSync(site).length === 0 || existsSync(join(site, 'offline.js'))) return;
  throw new Error(`${site} holds something else than this site, and would be emptied: name another folder`);
}

/** What the licenses of the parts ask for. */
function licenses(here, dist) {
  const [uplot, yaml] = ['uplot', 'yaml'].map((name) =>
    readFileSync(join(here, `node_modules/${name}/LICENSE`), 'utf8'),
  );
  const others = readFileSync(join(dist, 'THIRD-PARTY.txt'), 'utf8');
  return (
    `The scripts of these pages contain uPlot (https://github.com/leeoniya/uPlot):\n\n${uplot}\n` +
    `and yaml (https://eemeli.org/yaml):\n\n${yaml}\n${others}`
  );
}

export async function buildSite(here, site) {
  refuseOthers(site);
  const dist = await buildPackage(here);
  const made = `${site}.new`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(join(made, 'figures'), { recursive: true });

  await bundle(here, made);
  for (const name of PACKAGE_FILES) writeFileSync(join(made, name), readFileSync(join(dist, name)));
  writeFileSync(join(made, 'licenses.txt'), licenses(here, dist));
  const figures = await staticFigures(here, dist);
  for (const { id, svg } of figures) writeFileSync(join(made, 'figures', `${id}.svg`), svg);
  const version = hashOf(made);
  for (const page of ['index.html', 'lab.html'])
    writeFileSync(join(made, page), await html(here, page, figures, version));
  await bundleOffline(here, made, filesOf(made), hashOf(made));

  rmSync(site, { recursive: true, force: true });
  renameSync(made, site);
  report(site);
}
