// SPDX-License-Identifier: Apache-2.0
// drawing: a field in which o is drawn with mouse, finger or keys. Points along the trial are the keyboard's
// way: one of them can be reached by Tab, the others from there by ← and →.
import { number } from '../parts/number';
import { make, makeSvg, setAll } from './dom';
import { CORNERS, STEPS, STEP_MS } from './pursuit';
import { O_LIMIT, clamp, movePoint, stroke } from './shape';

const HEIGHT = 240;
const MARGIN = { left: 44, right: 10, top: 22, bottom: 30 };
const SPACING = 100; // steps between points
const POINTS = Array.from({ length: STEPS / SPACING - 1 }, (_, i) => (i + 1) * SPACING);
const SMALL = 0.01;
const LARGE = 0.05;
const CURVE_STEP = 5; // steps between the corners of a drawn curve

export interface Drawing {
  set(o: Float64Array): void;
  /** A curve behind o, to draw by. */
  behind(signal: Float64Array): void;
}

export function drawing(host: HTMLElement, id: string, onDraw: (o: Float64Array) => void): Drawing {
  let o: Float64Array = new Float64Array(STEPS);
  let ghost: Float64Array | null = null;
  let width = 640;
  let current = 3; // the point that Tab reaches
  const frame = makeSvg('g');
  const ghostLine = makeSvg('path', { class: 'drawing-ghost' });
  const line = makeSvg('path', { class: 'drawing-o' });
  const handles = POINTS.map((n, i) => handle(n, i));
  const field = makeSvg('svg', { id, class: 'drawing', height: HEIGHT, role: 'group', 'aria-label': 'o, the signal that you draw', 'aria-describedby': `${id}-keys` }, frame, ghostLine, line, ...handles);
  const keys = make('p', { id: `${id}-keys`, class: 'hint' },
    'Draw with the mouse or a finger. With keys: Tab to a point, ← → to its neighbours, ↑ ↓ to move it, Delete to set it to 0. Dashed: the error without o.');
  host.append(field, keys);

  const x = (n: number): number => MARGIN.left + (n / STEPS) * (width - MARGIN.left - MARGIN.right);
  const y = (value: number): number => {
    const half = (HEIGHT - MARGIN.top - MARGIN.bottom) / 2;
    return MARGIN.top + half - (value / O_LIMIT) * half;
  };

  function handle(n: number, i: number): SVGGElement {
    const dot = makeSvg('g', {
      id: `${id}-point-${i + 1}`, class: 'drawing-point', role: 'slider', 'aria-orientation': 'vertical',
      'aria-label': `o at ${number((n * STEP_MS) / 1000)} s`, 'aria-valuemin': -O_LIMIT, 'aria-valuemax': O_LIMIT,
    }, makeSvg('circle', { class: 'drawing-focus', r: 9 }), makeSvg('circle', { r: 4 }));
    dot.addEventListener('keydown', (event) => onKey(event, i));
    dot.addEventListener('focus', () => choose(i));
    return dot;
  }

  function choose(i: number): void {
    current = i;
    handles.forEach((dot, at) => setAll(dot, { tabindex: at === i ? 0 : -1 }));
  }

  function onKey(event: KeyboardEvent, i: number): void {
    const last = POINTS.length - 1;
    const goTo: Record<string, number> = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: last };
    const moveBy: Record<string, number> = { ArrowUp: SMALL, ArrowDown: -SMALL, PageUp: LARGE, PageDown: -LARGE };
    const n = POINTS[i]!;
    if (event.key in goTo) handles[clamp(goTo[event.key]!, 0, last)]!.focus();
    else if (event.key in moveBy) changed(movePoint(o, n, SPACING, o[n]! + moveBy[event.key]!));
    else if (event.key === 'Delete' || event.key === 'Backspace') changed(movePoint(o, n, SPACING, 0));
    else return;
    event.preventDefault();
  }

  function changed(next: Float64Array): void {
    o = next;
    showCurve();
    onDraw(o);
  }

  // ---- the pen ----

  let pen: { n: number; value: number } | null = null;

  function penAt(event: PointerEvent): { n: number; value: number } {
    const box = field.getBoundingClientRect();
    const inner = width - MARGIN.left - MARGIN.right;
    const half = (HEIGHT - MARGIN.top - MARGIN.bottom) / 2;
    return {
      n: clamp(((event.clientX - box.left - MARGIN.left) / inner) * STEPS, 0, STEPS - 1),
      value: clamp((-(event.clientY - box.top - MARGIN.top - half) / half) * O_LIMIT, -O_LIMIT, O_LIMIT),
    };
  }

  field.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    field.setPointerCapture(event.pointerId);
    pen = penAt(event);
    changed(stroke(o, { ...pen, n: Math.round(pen.n) }, { ...pen, n: Math.round(pen.n) }));
  });
  field.addEventListener('pointermove', (event) => {
    if (!pen) return;
    const next = penAt(event);
    changed(stroke(o, pen, next));
    pen = next;
  });
  for (const end of ['pointerup', 'pointercancel'] as const) field.addEventListener(end, () => (pen = null));

  // ---- what is seen ----

  function curve(signal: Float64Array): string {
    let path = '';
    for (let n = 0; n < STEPS; n += CURVE_STEP) path += `${n ? 'L' : 'M'}${x(n).toFixed(1)} ${y(signal[n]!).toFixed(1)}`;
    return path;
  }

  function showCurve(): void {
    setAll(line, { d: curve(o) });
    if (ghost) setAll(ghostLine, { d: curve(ghost) });
    handles.forEach((dot, i) => {
      const n = POINTS[i]!;
      const value = o[n]!;
      setAll(dot, { transform: `translate(${x(n)} ${y(value)})`, 'aria-valuenow': value.toFixed(3), 'aria-valuetext': number(value, 2) });
    });
  }

  function showFrame(): void {
    setAll(field, { viewBox: `0 0 ${width} ${HEIGHT}` });
    frame.replaceChildren(...movements(x, y), ...axes(x, y));
  }

  new ResizeObserver(() => {
    width = Math.max(240, field.clientWidth);
    showFrame();
    showCurve();
  }).observe(field);
  choose(current);
  showFrame();
  showCurve();
  return {
    set(next) {
      o = next;
      showCurve();
    },
    behind(signal) {
      ghost = signal;
      showCurve();
    },
  };
}

type Scale = (value: number) => number;

/** Shades when the dot moves. */
function movements(x: Scale, y: Scale): SVGElement[] {
  const shades: SVGElement[] = [];
  for (let i = 1; i < CORNERS.length; i++) {
    const [t0, p0] = CORNERS[i - 1]!;
    const [t1, p1] = CORNERS[i]!;
    if (p0 === p1) continue;
    const [a, b] = [x((t0 * 1000) / STEP_MS), x((t1 * 1000) / STEP_MS)];
    shades.push(
      makeSvg('rect', { class: 'drawing-move', x: a, width: b - a, y: y(O_LIMIT), height: y(-O_LIMIT) - y(O_LIMIT) }),
      makeSvg('text', { x: (a + b) / 2, y: y(O_LIMIT) - 7, 'text-anchor': 'middle' }, p1 > p0 ? 'dot →' : '← dot'),
    );
  }
  return shades;
}

function axes(x: Scale, y: Scale): SVGElement[] {
  const ends = { x1: x(0), x2: x(STEPS) };
  const drawn: SVGElement[] = [];
  for (const value of [-O_LIMIT, -O_LIMIT / 2, 0, O_LIMIT / 2, O_LIMIT])
    drawn.push(
      makeSvg('line', { class: value === 0 ? 'drawing-zero' : 'drawing-grid', ...ends, y1: y(value), y2: y(value) }),
      makeSvg('text', { x: x(0) - 6, y: y(value) + 4, 'text-anchor': 'end' }, number(value, 2)),
    );
  for (let t = 0; t <= 2.5; t += 0.5) {
    const last = t === 2.5;
    drawn.push(makeSvg('text', { x: x((t * 1000) / STEP_MS), y: HEIGHT - 9, 'text-anchor': last ? 'end' : 'middle' }, last ? '2.5 s' : String(t)));
  }
  return drawn;
}
