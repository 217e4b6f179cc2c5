// SPDX-License-Identifier: Apache-2.0
// plot: a live figure: uPlot draws it; title, legend, caption, numbers and downloads are HTML around it.
import uPlot from 'uplot';
import { downloadButtons } from './download';
import type { Figure, Role, Series } from './figure';
import { type Entry, entries } from './legend';
import { LOOKS, variable } from './look';
import { drawMarks } from './marks';
import { number } from './number';
import { shown, tickLabel, ticks, xEnds, yEnds } from './scale';
import { table } from './table';
import { css, onTheme } from './theme';

export interface PlotOptions {
  /** Pixels of the drawing; default 300, less on a phone. */
  height?: number;
  /** Buttons for CSV and SVG; default: false. */
  downloads?: boolean;
  /** What the names of downloaded files begin with; default: 'cfpc-'. */
  prefix?: () => string;
}

export interface Plot {
  update(figure: Figure): void;
  destroy(): void;
}

const PIXELS_PER_X_TICK = 75;
const PIXELS_PER_Y_TICK = 44;

function element<K extends keyof HTMLElementTagNameMap>(name: K, kind = '', text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  made.textContent = text;
  return made;
}

/** uPlot takes null for a gap; values that the axis cannot show are gaps too. */
function data(figure: Figure): uPlot.AlignedData {
  const column = (series: Series) => {
    const out: (number | null)[] = new Array(figure.xs.length);
    for (let i = 0; i < out.length; i++) {
      const value = series.values[i] ?? NaN;
      out[i] = shown(figure.y, value) ? value : null;
    }
    return out;
  };
  return [Array.from(figure.xs), ...figure.series.map(column)];
}

/** What uPlot was built for: another shape needs another uPlot. */
function shape(figure: Figure): string {
  return JSON.stringify([figure.x, figure.y, figure.series.map((s) => [s.name, s.role, s.points ?? false])]);
}

function seriesOptions(series: Series): uPlot.Series {
  const { width, dash } = LOOKS[series.role];
  const stroke = () => css(variable(series.role));
  if (series.points)
    return { label: series.name, stroke, width: 0, paths: () => null, points: { show: true, size: 7, fill: stroke } };
  return { label: series.name, stroke, width, dash, points: { show: false, size: 6, fill: stroke, filter: lone } };
}

/** Values between two gaps: a line does not show them. */
function lone(u: uPlot, at: number): number[] {
  const values = u.data[at] as (number | null)[];
  const there = (i: number) => values[i] !== null && values[i] !== undefined;
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) if (there(i) && !there(i - 1) && !there(i + 1)) found.push(i);
  return found;
}

function axisOptions(figure: () => Figure, which: 'x' | 'y'): uPlot.Axis {
  const label = figure()[which].label;
  return {
    scale: which,
    label,
    labelSize: 22,
    size: which === 'x' ? 28 : (_, values) => 22 + 7.5 * Math.max(2, ...(values ?? []).map((v) => v.length)),
    gap: 6,
    stroke: () => css('--quiet'),
    font: '13px system-ui, sans-serif',
    labelFont: '13px system-ui, sans-serif',
    grid: { stroke: () => css('--grid'), width: 1 },
    ticks: { show: false },
    border: { show: true, stroke: () => css('--quiet'), width: 1 },
    splits: (u, _axis, min, max) => {
      const pixels = which === 'x' ? u.bbox.width : u.bbox.height;
      const each = which === 'x' ? PIXELS_PER_X_TICK : PIXELS_PER_Y_TICK;
      const count = Math.max(3, Math.floor(pixels / devicePixelRatio / each) || 4);
      return ticks(figure()[which], [min, max], count);
    },
    filter: (_, splits) => splits,
    values: (_, splits) => splits.map((v) => tickLabel(v)),
  };
}

function uplotOptions(
  figure: () => Figure,
  width: number,
  height: number,
  moved: (at: number | null) => void,
): uPlot.Options {
  const { x, y, series } = figure();
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 }, focus: { prox: -1 } },
    scales: {
      x: { time: false, distr: x.log ? 3 : 1, range: () => xEnds(figure()) },
      y: { distr: y.log ? 3 : 1, range: () => yEnds(figure()) },
    },
    axes: [axisOptions(figure, 'x'), axisOptions(figure, 'y')],
    series: [{}, ...series.map(seriesOptions)],
    hooks: {
      draw: [(u) => drawMarks(u, figure())],
      setCursor: [(u) => moved(u.cursor.idx ?? null)],
    },
    padding: [10, 14, 0, 0],
  };
}

/** A short piece of the line, drawn as in the figure. */
function sample(role: Role, points: boolean): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const made = document.createElementNS(space, 'svg');
  made.setAttribute('viewBox', '0 0 30 10');
  made.setAttribute('aria-hidden', 'true');
  const part = document.createElementNS(space, points ? 'circle' : 'path');
  const attributes: Record<string, string> = points
    ? { cx: '15', cy: '5', r: '3.5', style: `fill:var(${variable(role)})` }
    : {
        d: 'M0 5h30',
        style: `fill:none;stroke:var(${variable(role)});stroke-width:${LOOKS[role].width};stroke-dasharray:${LOOKS[role].dash.join(' ') || 'none'}`,
      };
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
  made.append(part);
  return made;
}

export function plot(host: HTMLElement, first: Figure, options: PlotOptions = {}): Plot {
  let figure = first;
  let drawn: uPlot | undefined;
  let built = '';
  let listed: { entry: Entry; value: HTMLElement }[] = [];

  const box = element('figure', 'figure');
  const title = element('h3', 'figure-title');
  const legend = element('ul', 'legend');
  const canvas = element('div', 'canvas');
  canvas.setAttribute('role', 'img');
  const caption = element('figcaption');
  const numbers = element('details', 'numbers');
  const tools = element('div', 'figure-tools');
  box.id = `figure-${first.id}`;
  numbers.append(element('summary', '', 'Numbers'));
  tools.append(numbers, ...(options.downloads ? downloadButtons(() => figure, options.prefix) : []));
  box.append(title, legend, canvas, caption, tools);
  host.append(box);

  function height(): number {
    const wanted = options.height ?? 300;
    return canvas.clientWidth < 480 ? Math.min(wanted, 240) : wanted;
  }

  function readOut(at: number | null): void {
    for (const { entry, value } of listed) {
      const series = entry.series.length === 1 ? figure.series[entry.series[0] as number] : undefined;
      value.textContent = at === null || !series ? '' : number(series.values[at] ?? NaN);
    }
  }

  function list(): void {
    listed = entries(figure).map((entry) => ({ entry, value: element('span', 'value') }));
    legend.replaceChildren(
      ...listed.map(({ entry, value }) => {
        const item = element('li');
        item.append(sample(entry.role, entry.points), element('span', '', entry.name), value);
        return item;
      }),
    );
  }

  function tabulate(): void {
    numbers.querySelector('.table-box')?.remove();
    if (numbers.open) numbers.append(table(figure));
  }

  function describe(): void {
    title.textContent = figure.title;
    caption.textContent = figure.says;
    canvas.setAttribute('aria-label', `Figure: ${figure.title}`);
    tabulate();
  }

  function build(): void {
    drawn?.destroy();
    list();
    built = shape(figure);
    const width = Math.max(canvas.clientWidth, 200);
    drawn = new uPlot(
      uplotOptions(() => figure, width, height(), readOut),
      data(figure),
      canvas,
    );
    touch(drawn);
  }

  function resize(): void {
    const width = canvas.clientWidth;
    if (drawn && width > 0 && width !== drawn.width) drawn.setSize({ width, height: height() });
  }

  const observer = new ResizeObserver(resize);
  const ended = onTheme(() => drawn?.redraw(false, true));
  numbers.addEventListener('toggle', tabulate);
  describe();
  build();
  observer.observe(canvas);

  return {
    update(next) {
      figure = next;
      describe();
      if (shape(next) === built) drawn?.setData(data(next));
      else build();
    },
    destroy() {
      observer.disconnect();
      ended();
      drawn?.destroy();
      box.remove();
    },
  };
}

/** A finger that moves sideways reads values, as a mouse does; up and down still scrolls the page. */
function touch(u: uPlot): void {
  u.over.style.touchAction = 'pan-y';
  const read = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') return;
    const { left, top } = u.over.getBoundingClientRect();
    u.setCursor({ left: event.clientX - left, top: event.clientY - top });
  };
  u.over.addEventListener('pointerdown', read);
  u.over.addEventListener('pointermove', read);
}
