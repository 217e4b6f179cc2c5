// SPDX-License-Identifier: Apache-2.0
// bars: the weights as bars, one per bump, at the time of its peak: a figure of parts/plot.ts in all but its drawing.
import { downloadButtons } from '../parts/download';
import type { Figure } from '../parts/figure';
import { number } from '../parts/number';
import { table } from '../parts/table';
import { make, makeSvg, setAll } from './dom';

const HEIGHT = 200;
const MARGIN = { left: 44, right: 10, top: 10, bottom: 40 };

export interface Bars {
  update(figure: Figure): void;
}

/** Draws the first series of a figure whose axes have fixed ends. */
export function bars(host: HTMLElement, first: Figure): Bars {
  let figure = first;
  const title = make('h3', { class: 'figure-title' });
  const field = makeSvg('svg', { class: 'bars', height: HEIGHT, role: 'img' });
  const says = make('figcaption');
  const numbers = make('details', { class: 'numbers' }, make('summary', {}, 'Numbers'));
  const tools = make('div', { class: 'figure-tools' }, numbers, ...downloadButtons(() => figure));
  host.append(make('figure', { class: 'figure', id: `figure-${first.id}` }, title, field, says, tools));
  let width = 480;
  let columns: SVGRectElement[] = [];

  const x = (value: number) => MARGIN.left + ((value - figure.x.min!) / (figure.x.max! - figure.x.min!)) * (width - MARGIN.left - MARGIN.right);
  const y = (value: number) => MARGIN.top + ((figure.y.max! - value) / (figure.y.max! - figure.y.min!)) * (HEIGHT - MARGIN.top - MARGIN.bottom);

  function frame(): void {
    setAll(field, { viewBox: `0 0 ${width} ${HEIGHT}` });
    columns = Array.from(figure.xs, () => makeSvg('rect', { class: 'bar-weight' }));
    const labels = [0, 0.5, 1, 1.5, 2, 2.5].map((t) => makeSvg('text', { x: x(t), y: HEIGHT - 24, 'text-anchor': t === 2.5 ? 'end' : 'middle' }, number(t)));
    const ticks = [-0.2, -0.1, 0, 0.1, 0.2].filter((v) => v >= figure.y.min! && v <= figure.y.max!);
    field.replaceChildren(
      ...ticks.map((v) => makeSvg('line', { class: v === 0 ? 'drawing-zero' : 'drawing-grid', x1: x(figure.x.min!), x2: x(figure.x.max!), y1: y(v), y2: y(v) })),
      ...ticks.map((v) => makeSvg('text', { x: MARGIN.left - 6, y: y(v) + 4, 'text-anchor': 'end' }, number(v))),
      ...labels,
      makeSvg('text', { x: (x(figure.x.min!) + x(figure.x.max!)) / 2, y: HEIGHT - 5, 'text-anchor': 'middle' }, figure.x.label),
      ...columns,
    );
  }

  function show(): void {
    title.textContent = figure.title;
    says.textContent = figure.says;
    setAll(field, { 'aria-label': `Figure: ${figure.title}` });
    const values = figure.series[0]!.values;
    const thick = Math.max(3, 0.6 * (x(figure.xs[1]!) - x(figure.xs[0]!)));
    columns.forEach((bar, j) => {
      const [a, b] = [y(0), y(values[j]!)];
      setAll(bar, { x: x(figure.xs[j]!) - thick / 2, width: thick, y: Math.min(a, b), height: Math.abs(a - b) });
    });
    if (numbers.open) showNumbers();
  }

  function showNumbers(): void {
    numbers.querySelector('.table-box')?.remove();
    numbers.append(table(figure));
  }

  numbers.addEventListener('toggle', () => numbers.open && showNumbers());
  new ResizeObserver(() => {
    width = Math.max(240, field.clientWidth);
    frame();
    show();
  }).observe(field);
  frame();
  show();
  return {
    update(next) {
      figure = next;
      show();
    },
  };
}
