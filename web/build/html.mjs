// SPDX-License-Identifier: Apache-2.0
// html: a page with what both pages share, and with the static figures in their places.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';

const escaped = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

/** As short as a data: address can be, and readable. */
const dataSvg = (svg) =>
  `data:image/svg+xml,${encodeURIComponent(svg.trim()).replace(/%20/g, ' ').replace(/%3D/g, '=').replace(/%2F/g, '/').replace(/%22/g, "'")}`;

function picture({ id, title, says, svg }) {
  const [, width, height] = /<svg [^>]*viewBox="0 0 (\d+) (\d+)"/.exec(svg);
  const alt = escaped(`${title}. ${says}`);
  return `<img src="figures/${id}.svg" width="${width}" height="${height}" alt="${alt}">`;
}

/** At once on the screen, until a live figure takes the place. */
function placeFigures(text, figures) {
  return text.replace(/<!-- figures of chapter (\d+) -->/g, (_, chapter) => {
    const own = figures.filter((figure) => figure.chapter === Number(chapter));
    return own.length ? `<div class="static">${own.map(picture).join('')}</div>` : '';
  });
}

export async function html(here, page, figures, version) {
  const piece = (name) => readFileSync(join(here, 'page/pieces', name), 'utf8').trim();
  const { code } = await transform(piece('early.js'), { minify: true, target: 'es5', format: 'iife' });
  const text = readFileSync(join(here, 'page', page), 'utf8')
    .replace('<!-- icon -->', () => `<link rel="icon" href="${dataSvg(piece('icon.svg'))}">`)
    .replace('<!-- early -->', () => `<script>${code.trim()}</script>`)
    .replace('<!-- fallback -->', () => piece('fallback.html'))
    .replace('<!-- footer -->', () => piece('footer.html'))
    // A browser that kept an older build for a while asks for the new one.
    .replace(/(href|src)="(style\.css|\w+\.js)"/g, `$1="$2?v=${version}"`);
  const placed = placeFigures(text, figures);
  const left = figures.filter(({ id }) => page === 'index.html' && !placed.includes(`figures/${id}.svg`));
  if (left.length) throw new Error(`${page} has no place "<!-- figures of chapter ${left[0].chapter} -->"`);
  return placed.replace(/<!--(?! SPDX)[\s\S]*?-->\n?/g, '').replace(/^[ \t]+/gm, '');
}
