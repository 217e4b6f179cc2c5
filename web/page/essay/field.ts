// SPDX-License-Identifier: Apache-2.0
// field: an SVG as wide as its place, with a grid, for what uPlot does not draw: bars, and what is drawn by hand.
import type { Axis } from '../parts/figure';
import { tickLabel, ticks, type Ends } from '../parts/scale';
import { makeSvg, setAll } from './dom';

const MARGIN = { left: 44, right: 12, top: 22, bottom: 44 };
const NARROWEST = 240;
const X_TICKS = 5;
const Y_TICKS = 4;

export interface FieldOptions {
  className: string;
  /** Pixels. */
  height: number;
  /** With fixed ends. */
  x: Axis;
  y: Axis;
  /** Called when the width has changed, after the grid was drawn. */
  onResize(): void;
}

export interface Field {
  readonly svg: SVGSVGElement;
  /** From a value to pixels. */
  x(value: number): number;
  y(value: number): number;
  /** From a pointer to values; may be beyond the ends. */
  under(pointer: { clientX: number; clientY: number }): { x: number; y: number };
}

export function field(options: FieldOptions): Field {
  const { height } = options;
  const [x0, x1] = endsOf(options.x);
  const [y0, y1] = endsOf(options.y);
  const deep = height - MARGIN.top - MARGIN.bottom;
  const grid = makeSvg('g');
  const svg = makeSvg('svg', { class: `field ${options.className}`, height }, grid);
  let width = NARROWEST;

  const wide = () => width - MARGIN.left - MARGIN.right;
  const x = (value: number) => MARGIN.left + ((value - x0) / (x1 - x0)) * wide();
  const y = (value: number) => MARGIN.top + ((y1 - value) / (y1 - y0)) * deep;

  function drawGrid(): void {
    setAll(svg, { viewBox: `0 0 ${width} ${height}` });
    grid.replaceChildren(
      ...ticks(options.y, [y0, y1], Y_TICKS).flatMap((value) => [
        makeSvg('path', { class: value === 0 ? 'field-zero' : 'field-grid', d: `M${x(x0)} ${y(value)}H${x(x1)}` }),
        makeSvg('text', { x: MARGIN.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, tickLabel(value)),
      ]),
      ...ticks(options.x, [x0, x1], X_TICKS).map((value) =>
        makeSvg('text', { x: x(value), y: height - 26, 'text-anchor': 'middle' }, tickLabel(value)),
      ),
      makeSvg('text', { x: (x(x0) + x(x1)) / 2, y: height - 7, 'text-anchor': 'middle' }, options.x.label),
      makeSvg('text', { x: 2, y: 12 }, options.y.label),
    );
  }

  new ResizeObserver(() => {
    width = Math.max(NARROWEST, svg.clientWidth);
    drawGrid();
    options.onResize();
  }).observe(svg);

  return {
    svg,
    x,
    y,
    under({ clientX, clientY }) {
      const box = svg.getBoundingClientRect();
      return {
        x: x0 + ((clientX - box.left - MARGIN.left) / wide()) * (x1 - x0),
        y: y1 - ((clientY - box.top - MARGIN.top) / deep) * (y1 - y0),
      };
    },
  };
}

function endsOf({ min = 0, max = 1 }: Axis): Ends {
  return [min, max];
}
