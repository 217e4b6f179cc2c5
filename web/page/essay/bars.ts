// SPDX-License-Identifier: Apache-2.0
// bars: the weights as bars, each at the time of its bump's peak: a figure of parts/plot.ts in all but its drawing.
import { downloadButtons } from '../parts/download';
import type { Figure } from '../parts/figure';
import { table } from '../parts/table';
import { make, makeSvg, setAll } from './dom';
import { field } from './field';

const HEIGHT = 236;
const THICK = 0.6; // of the distance between two bars

export interface Bars {
  update(figure: Figure): void;
}

/** Draws the first series of a figure whose axes have fixed ends. */
export function bars(host: HTMLElement, first: Figure): Bars {
  let figure = first;
  const title = make('h3', { class: 'figure-title' });
  const says = make('figcaption');
  const numbers = make('details', { class: 'numbers' }, make('summary', {}, 'Numbers'));
  const tools = make('div', { class: 'figure-tools' }, numbers, ...downloadButtons(() => figure));
  const drawn = field({ className: 'bars', height: HEIGHT, x: first.x, y: first.y, onResize: showBars });
  const columns = Array.from(first.xs, () => makeSvg('rect', { class: 'bar-weight' }));
  setAll(drawn.svg, { role: 'img' });
  drawn.svg.append(...columns);
  host.append(make('figure', { class: 'figure', id: `figure-${first.id}` }, title, drawn.svg, says, tools));
  numbers.addEventListener('toggle', showNumbers);

  function showBars(): void {
    const { xs, series } = figure;
    const thick = THICK * (drawn.x(xs[1]!) - drawn.x(xs[0]!));
    columns.forEach((bar, j) => {
      const [zero, end] = [drawn.y(0), drawn.y(series[0]!.values[j]!)];
      const x = drawn.x(xs[j]!) - thick / 2;
      setAll(bar, { x, width: thick, y: Math.min(zero, end), height: Math.abs(zero - end) });
    });
  }

  function showNumbers(): void {
    numbers.querySelector('.table-box')?.remove();
    if (numbers.open) numbers.append(table(figure));
  }

  function update(next: Figure): void {
    figure = next;
    title.textContent = figure.title;
    says.textContent = figure.says;
    setAll(drawn.svg, { 'aria-label': `Figure: ${figure.title}` });
    showBars();
    showNumbers();
  }
  update(first);
  return { update };
}
