// SPDX-License-Identifier: Apache-2.0
// svg: a figure as a file of its own, for downloads and for pages without a live figure. It is drawn
// without plot.ts and needs no browser.
import type { Axis, Figure, Mark, Role, Series } from './figure';
import { entries } from './legend';
import { LOOKS, PAPER } from './look';
import { type Ends, shown, tickLabel, ticks, xEnds, yEnds } from './scale';
import { type Point, simplify } from './simplify';
import { baseline, turnedAt, type Word, words } from './words';

export interface SvgOptions {
  width?: number;
  height?: number;
  /** 'both': what the viewer's system prefers. Default: light, which prints. */
  theme?: 'light' | 'dark' | 'both';
  /** Default: true. */
  title?: boolean;
}

interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const SIZE = 13;
/** Tenths of a pixel. */
const TOLERANCE = 0.1;

export function escaped(text: string): string {
  const entity: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  // Characters that XML does not allow, not even escaped, would make the file unreadable.
  return text.replace(/[^\t\n\r\u0020-\ufffd]/g, '').replace(/[&<>"]/g, (c) => entity[c] ?? c);
}

const round = (value: number) => String(Math.round(value * 10) / 10);
/** A guess that errs on the wide side: fonts differ. */
const widthOf = (text: string, size = SIZE) => text.length * size * 0.6;

function rules(theme: 'light' | 'dark', roles: Role[]): string {
  const paper = PAPER[theme];
  const curves = roles.map((role) => `.r-${role}{stroke:${LOOKS[role][theme]}}.p-${role}{fill:${LOOKS[role][theme]}}`);
  return (
    `.paper{fill:${paper.background}}.word{stroke:${paper.background}}text{fill:${paper.ink}}.quiet{fill:${paper.quiet}}` +
    `.grid{stroke:${paper.grid}}.axis,.mark{stroke:${paper.quiet}}${curves.join('')}`
  );
}

function style(figure: Figure, theme: 'light' | 'dark' | 'both'): string {
  const roles = [...new Set(figure.series.map((s) => s.role))];
  const lines = roles.map((role) => {
    const { width, dash } = LOOKS[role];
    return `.r-${role}{stroke-width:${width}${dash.length ? `;stroke-dasharray:${dash.join(' ')}` : ''}}`;
  });
  const colours =
    theme === 'both'
      ? `${rules('light', roles)}@media (prefers-color-scheme:dark){${rules('dark', roles)}}`
      : rules(theme, roles);
  return (
    `<style>text{font-family:${FONT};font-size:${SIZE}px}.title{font-weight:600;font-size:15px}` +
    `.curve{fill:none;stroke-linejoin:round;stroke-linecap:butt}.grid,.axis{stroke-width:1}` +
    `.mark{stroke-width:1;stroke-dasharray:3 3}.word{paint-order:stroke;stroke-width:4;stroke-linejoin:round}${lines.join('')}${colours}</style>`
  );
}

function position(axis: Axis, [min, max]: Ends, from: number, to: number): (value: number) => number {
  const along = axis.log ? Math.log : (value: number) => value;
  const low = along(min);
  const span = along(max) - low;
  return (value) => from + ((along(value) - low) / span) * (to - from);
}

/** Runs of values that can be shown; a gap parts them. Far outside, a point is put just beyond the frame. */
function runs(figure: Figure, series: Series, x: (v: number) => number, y: (v: number) => number): Point[][] {
  const found: Point[][] = [];
  let run: Point[] = [];
  for (let i = 0; i < figure.xs.length; i++) {
    const px = x(figure.xs[i] as number);
    const value = series.values[i] ?? NaN;
    if (shown(figure.y, value) && Number.isFinite(px)) {
      run.push([px, Math.max(-1e4, Math.min(1e4, y(value)))]);
    } else if (run.length) {
      found.push(run);
      run = [];
    }
  }
  if (run.length) found.push(run);
  return found;
}

function dots(role: Role, points: Point[]): string {
  if (points.length === 0) return '';
  const circles = points.map(([x, y]) => `<circle cx="${round(x)}" cy="${round(y)}" r="3"/>`);
  return `<g class="p-${role}">${circles.join('')}</g>`;
}

function curve(series: Series, parts: Point[][]): string {
  if (series.points) return dots(series.role, parts.flat());
  const path = parts.map((points) => {
    const kept = simplify(points, TOLERANCE).map(([x, y]) => `${round(x)} ${round(y)}`);
    return kept.length > 1 ? `M${kept.join('L')}` : '';
  });
  // A value between two gaps, which a line does not show.
  const lone = parts.filter((points) => points.length === 1).map((points) => points[0] as Point);
  return `<path class="curve r-${series.role}" d="${path.join('')}"/>${dots(series.role, lone)}`;
}

function wrapped(text: string, width: number, size: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1] as string;
    const longer = last === '' ? word : `${last} ${word}`;
    if (last !== '' && widthOf(longer, size) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function legend(figure: Figure, left: number, right: number, top: number): { text: string; height: number } {
  let x = left;
  let y = top + 12;
  const parts: string[] = [];
  for (const entry of entries(figure)) {
    const width = 40 + widthOf(entry.name) + 14;
    if (x + width > right && x > left) [x, y] = [left, y + 20];
    const sample = entry.points
      ? `<circle class="p-${entry.role}" cx="${x + 15}" cy="${y - 4}" r="3"/>`
      : `<path class="curve r-${entry.role}" d="M${x} ${y - 4}h30"/>`;
    parts.push(`${sample}<text x="${x + 36}" y="${y}">${escaped(entry.name)}</text>`);
    x += width;
  }
  return { text: parts.join(''), height: y - top + 10 };
}

function axes(figure: Figure, frame: Frame, xs: Ends, ys: Ends): string {
  const { left, right, top, bottom } = frame;
  const x = position(figure.x, xs, left, right);
  const y = position(figure.y, ys, bottom, top);
  const parts: string[] = [];
  for (const tick of ticks(figure.x, xs, Math.floor((right - left) / 90))) {
    const at = round(x(tick));
    parts.push(`<path class="grid" d="M${at} ${top}V${bottom}"/>`);
    parts.push(`<text class="quiet" x="${at}" y="${bottom + 18}" text-anchor="middle">${tickLabel(tick)}</text>`);
  }
  for (const tick of ticks(figure.y, ys, Math.floor((bottom - top) / 45))) {
    const at = y(tick);
    parts.push(`<path class="grid" d="M${left} ${round(at)}H${right}"/>`);
    parts.push(`<text class="quiet" x="${left - 8}" y="${round(at + 4)}" text-anchor="end">${tickLabel(tick)}</text>`);
  }
  parts.push(`<path class="axis" fill="none" d="M${left} ${top}V${bottom}H${right}"/>`);
  const middle = round((top + bottom) / 2);
  parts.push(
    `<text class="quiet" x="${round((left + right) / 2)}" y="${bottom + 38}" text-anchor="middle">${escaped(figure.x.label)}</text>`,
    `<text class="quiet" transform="translate(14 ${middle}) rotate(-90)" text-anchor="middle">${escaped(figure.y.label)}</text>`,
  );
  return parts.join('');
}

function verticalMarks(figure: Figure, frame: Frame, xs: Ends, ys: Ends): string[] {
  const { left, right, top, bottom } = frame;
  const x = position(figure.x, xs, left, right);
  const lines = (figure.marks ?? [])
    .flatMap((mark) => (mark.x === undefined ? [] : [{ says: mark.says, at: x(mark.x) }]))
    .filter(({ at }) => at >= left && at <= right);
  const y = position(figure.y, ys, bottom, top);
  const across = (figure.marks ?? []).flatMap((mark) => (mark.y === undefined ? [] : [y(mark.y)]));
  const placed = words(
    lines.map(({ at }) => at),
    lines.map(({ says }) => widthOf(says)),
    left,
    right,
  );
  const place = ({ x, row }: Word): string =>
    placed.turned
      ? `transform="translate(${round(turnedAt(x, right))} ${top + 4}) rotate(-90)" text-anchor="end"`
      : `x="${round(x)}" y="${round(baseline(row, top, bottom, across))}"`;
  return [
    ...lines.map(({ at }) => `<path class="mark" d="M${round(at)} ${top}V${bottom}"/>`),
    ...lines.flatMap(({ says }, i) =>
      says === '' ? [] : [`<text class="quiet word" ${place(placed.each[i] as Word)}>${escaped(says)}</text>`],
    ),
  ];
}

function horizontalMark(says: Mark, figure: Figure, frame: Frame, ys: Ends): string {
  const { left, right, top, bottom } = frame;
  const parts: string[] = [];
  if (says.y !== undefined && says.y >= ys[0] && says.y <= ys[1]) {
    const at = position(figure.y, ys, bottom, top)(says.y);
    parts.push(`<path class="mark" d="M${left} ${round(at)}H${right}"/>`);
    const above = at - top > 20 ? at - 7 : at + 16;
    parts.push(
      `<text class="quiet word" x="${right - 4}" y="${round(above)}" text-anchor="end">${escaped(says.says)}</text>`,
    );
  }
  return parts.join('');
}

export function svg(figure: Figure, options: SvgOptions = {}): string {
  const width = options.width ?? 760;
  const height = options.height ?? 400;
  const xs = xEnds(figure);
  const ys = yEnds(figure);
  const title = options.title === false ? [] : wrapped(figure.title, width - 24, 15);
  const names = legend(figure, 12, width - 14, 10 + title.length * 20);
  const labels = ticks(figure.y, ys, 8).map((tick) => widthOf(tickLabel(tick)));
  const frame: Frame = {
    left: Math.ceil(Math.max(48, ...labels) + 30),
    right: width - 16,
    top: 10 + title.length * 20 + names.height + 4,
    bottom: height - 50,
  };
  const x = position(figure.x, xs, frame.left, frame.right);
  const y = position(figure.y, ys, frame.bottom, frame.top);
  const box = `x="${frame.left}" y="${frame.top}" width="${frame.right - frame.left}" height="${frame.bottom - frame.top}"`;
  const clip = `clip-${figure.id.replace(/[^\w-]/g, '-')}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(figure.title)}</title><desc>${escaped(figure.says)}</desc>`,
    style(figure, options.theme ?? 'light'),
    `<clipPath id="${clip}"><rect ${box}/></clipPath><rect class="paper" width="${width}" height="${height}"/>`,
    ...title.map((line, i) => `<text class="title" x="12" y="${22 + i * 20}">${escaped(line)}</text>`),
    names.text,
    axes(figure, frame, xs, ys),
    `<g clip-path="url(#${clip})">`,
    ...figure.series.map((series) => curve(series, runs(figure, series, x, y))),
    '</g>',
    ...verticalMarks(figure, frame, xs, ys),
    ...(figure.marks ?? []).map((says) => horizontalMark(says, figure, frame, ys)),
    '</svg>\n',
  ].join('\n');
}
