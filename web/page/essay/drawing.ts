// SPDX-License-Identifier: Apache-2.0
// drawing: a field in which o is drawn with mouse, finger or keys. Points along the trial are the keyboard's
// way: one of them can be reached by Tab, the others from there by ← and →.
import { number } from '../parts/number';
import { make, makeSvg, setAll } from './dom';
import { field, type Field } from './field';
import { CORNERS, STEPS, STEP_MS } from './pursuit';
import { O_LIMIT, clamp, movePoint, stroke, type Point } from './shape';

const HEIGHT = 250;
const SPACING = 100; // steps between points
const POINTS = Array.from({ length: STEPS / SPACING - 1 }, (_, i) => (i + 1) * SPACING);
const FIRST_POINT = 3; // the one that Tab reaches first: shortly before the dot moves
const SMALL = 0.01;
const LARGE = 0.05;
const CURVE_STEP = 5; // steps between the corners of a drawn curve

const KEYS =
  'Draw with the mouse or a finger, or tap to move a point. With keys: Tab to a point, ← → to its neighbours, ' +
  '↑ ↓ to move it, Delete to set it to 0. Dashed: the error without o.';

export interface Drawing {
  set(o: Float64Array): void;
}

function seconds(step: number): number {
  return (step * STEP_MS) / 1000;
}

/** `guide` is a dashed curve to draw by. */
export function drawing(
  host: HTMLElement,
  id: string,
  guide: Float64Array,
  onDraw: (o: Float64Array) => void,
): Drawing {
  let o: Float64Array = new Float64Array(STEPS);
  const drawn = field({
    className: 'drawing',
    height: HEIGHT,
    x: { label: 'time (s)', min: 0, max: seconds(STEPS) },
    y: { label: 'o', min: -O_LIMIT, max: O_LIMIT },
    onResize: show,
  });
  const shades = makeSvg('g');
  const guideLine = makeSvg('path', { class: 'drawing-guide' });
  const line = makeSvg('path', { class: 'drawing-o' });
  const points = POINTS.map((n, i) => point(`${id}-point-${i + 1}`, n));
  setAll(drawn.svg, { id, role: 'group', 'aria-label': 'The signal o', 'aria-describedby': `${id}-keys` });
  drawn.svg.prepend(shades);
  drawn.svg.append(guideLine, line, ...points);
  host.append(drawn.svg, make('p', { id: `${id}-keys`, class: 'hint' }, KEYS));

  function show(): void {
    shades.replaceChildren(...movements(drawn));
    setAll(guideLine, { d: curve(drawn, guide) });
    showO();
  }

  function showO(): void {
    setAll(line, { d: curve(drawn, o) });
    points.forEach((dot, i) => {
      const n = POINTS[i]!;
      setAll(dot, {
        transform: `translate(${drawn.x(seconds(n))} ${drawn.y(o[n]!)})`,
        'aria-valuenow': o[n]!.toFixed(3),
        'aria-valuetext': number(o[n]!, 2),
      });
    });
  }

  function change(next: Float64Array): void {
    o = next;
    showO();
    onDraw(o);
  }

  usePen(drawn, {
    onStroke: (from, to) => change(stroke(o, from, to)),
    onTap: ({ n, value }) => change(movePoint(o, nearest(n), SPACING, value)),
  });
  useKeys(points, (i, by) => {
    const n = POINTS[i]!;
    change(movePoint(o, n, SPACING, by === 0 ? 0 : o[n]! + by));
  });
  show();
  return {
    set(next) {
      o = next;
      showO();
    },
  };
}

function point(id: string, n: number): SVGGElement {
  return makeSvg(
    'g',
    {
      id,
      class: 'drawing-point',
      role: 'slider',
      'aria-orientation': 'vertical',
      'aria-label': `o at ${number(seconds(n))} s`,
      'aria-valuemin': -O_LIMIT,
      'aria-valuemax': O_LIMIT,
    },
    makeSvg('circle', { class: 'drawing-focus', r: 9 }),
    makeSvg('circle', { r: 4 }),
  );
}

/** `onMove` gets the point's number and by how much it moves; 0: to zero. */
function useKeys(points: SVGGElement[], onMove: (i: number, by: number) => void): void {
  const last = points.length - 1;
  const reach = (i: number) => {
    for (const [at, dot] of points.entries()) setAll(dot, { tabindex: at === i ? 0 : -1 });
  };
  const moves: Record<string, number> = {
    ArrowUp: SMALL,
    ArrowDown: -SMALL,
    PageUp: LARGE,
    PageDown: -LARGE,
    Delete: 0,
    Backspace: 0,
  };
  points.forEach((dot, i) => {
    const others: Record<string, number> = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: last };
    dot.addEventListener('focus', () => reach(i));
    dot.addEventListener('keydown', (event) => {
      const { key } = event;
      if (key in others) points[clamp(others[key]!, 0, last)]!.focus();
      else if (key in moves) onMove(i, moves[key]!);
      else return;
      event.preventDefault(); // the page does not scroll
    });
  });
  reach(FIRST_POINT);
}

function nearest(n: number): number {
  return clamp(SPACING * Math.round(n / SPACING), POINTS[0]!, POINTS[POINTS.length - 1]!);
}

interface PenUse {
  /** From each place of the pen to the next. */
  onStroke(from: Point, to: Point): void;
  /** For who cannot drag. */
  onTap(at: Point): void;
}

/** Mouse, finger or pen. */
function usePen(drawn: Field, { onStroke, onTap }: PenUse): void {
  let pen: Point | null = null;
  let moved = false;

  function place(event: PointerEvent): Point {
    const { x, y } = drawn.under(event);
    return { n: clamp((x * 1000) / STEP_MS, 0, STEPS - 1), value: y };
  }
  drawn.svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    drawn.svg.setPointerCapture(event.pointerId);
    pen = place(event);
    moved = false;
  });
  drawn.svg.addEventListener('pointermove', (event) => {
    if (!pen) return;
    const next = place(event);
    onStroke(pen, next);
    pen = next;
    moved = true;
  });
  drawn.svg.addEventListener('pointerup', () => {
    if (pen && !moved) onTap(pen);
    pen = null;
  });
  drawn.svg.addEventListener('pointercancel', () => (pen = null));
}

function curve(drawn: Field, signal: Float64Array): string {
  let path = '';
  for (let n = 0; n < STEPS; n += CURVE_STEP)
    path += `${n === 0 ? 'M' : 'L'}${drawn.x(seconds(n)).toFixed(1)} ${drawn.y(signal[n]!).toFixed(1)}`;
  return path;
}

/** Shades when the dot moves. */
function movements(drawn: Field): SVGElement[] {
  const [top, bottom] = [drawn.y(O_LIMIT), drawn.y(-O_LIMIT)];
  return CORNERS.slice(1).flatMap(([t1, p1], i) => {
    const [t0, p0] = CORNERS[i]!;
    if (p0 === p1) return [];
    const [a, b] = [drawn.x(t0), drawn.x(t1)];
    return [
      makeSvg('rect', { class: 'drawing-move', x: a, width: b - a, y: top, height: bottom - top }),
      makeSvg('text', { x: (a + b) / 2, y: top - 7, 'text-anchor': 'middle' }, p1 > p0 ? 'dot →' : '← dot'),
    ];
  });
}
