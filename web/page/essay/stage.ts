// SPDX-License-Identifier: Apache-2.0
// stage: the dot, the eye, and the gap between the dot and where the eye looks, at one moment of a trial.
import { make, makeSvg, setAll } from './dom';
import { lessMotion, player } from './player';
import { STEPS, STEP_MS } from './pursuit';
import { clamp } from './shape';

const WIDTH = 460;
const HEIGHT = 150;
const RAIL = 34; // the height on which the dot moves
const EYE = { x: WIDTH / 2, y: 108 };
const IRIS_REACH = 15;

/** The ends of the rail. An eye that looks farther looks at its end. */
const BEYOND = [-0.26, 1.26] as const;

/** A position on the rail: 0 and 1 are the ends of the dot's path. */
function railX(position: number): number {
  return 90 + 280 * clamp(position, BEYOND[0], BEYOND[1]);
}

/** From end to end, with a tick where the dot turns. */
function railPath(): string {
  const tick = (position: number) => `M${railX(position)} ${RAIL - 6}v12`;
  return `M${railX(BEYOND[0])} ${RAIL}H${railX(BEYOND[1])}${tick(0)}${tick(1)}`;
}

export interface Stage {
  /** At one moment. */
  show(dot: number, eye: number): void;
  readonly element: SVGElement;
}

export function stage(host: HTMLElement, says: string): Stage {
  const { x, y } = EYE;
  const rail = makeSvg('path', { class: 'stage-rail', d: railPath() });
  const lids = `M${x - 62} ${y} Q${x} ${y - 66} ${x + 62} ${y} Q${x} ${y + 66} ${x - 62} ${y}Z`;
  const gap = makeSvg('line', { class: 'stage-gap', y1: RAIL, y2: RAIL });
  const gaze = makeSvg('line', { class: 'stage-gaze' });
  const dot = makeSvg('circle', { class: 'stage-dot', cy: RAIL, r: 8 });
  const ring = makeSvg('circle', { class: 'stage-ring', cy: RAIL, r: 15 });
  const iris = makeSvg('g');
  iris.append(makeSvg('circle', { class: 'stage-iris', r: 17 }), makeSvg('circle', { class: 'stage-pupil', r: 8 }));
  const element = makeSvg('svg', { class: 'stage', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img' });
  setAll(element, { 'aria-label': says });
  element.append(rail, gap, makeSvg('path', { class: 'stage-eye', d: lids }), gaze, iris, ring, dot);
  host.append(element);

  function show(dotAt: number, eyeAt: number): void {
    const seen = railX(eyeAt);
    const length = Math.hypot(seen - x, RAIL - y);
    const irisX = x + (IRIS_REACH * (seen - x)) / length;
    const irisY = y + (IRIS_REACH * (RAIL - y)) / length;
    setAll(dot, { cx: railX(dotAt) });
    setAll(ring, { cx: seen });
    setAll(gap, { x1: railX(dotAt), x2: seen });
    setAll(iris, { transform: `translate(${irisX} ${irisY})` });
    setAll(gaze, { x1: irisX, y1: irisY, x2: seen, y2: RAIL });
  }
  show(0, 0);
  return { show, element };
}

/** Runs through a trial again and again. Where it rests, the dot is on its way and the gap is seen. */
export function trialClock(): { step(seconds: number): number } {
  let at = 0.8;
  return {
    step(seconds) {
      at = (at + seconds) % ((STEPS * STEP_MS) / 1000);
      return Math.min(STEPS - 1, Math.floor((at * 1000) / STEP_MS));
    },
  };
}

/** A share of real time: at full speed a lag of 90 ms is easily missed. */
const SLOWER = 0.5;

const SAYS =
  'A dot moves to the right and back. Below it is an eye, and a ring where the eye looks; a bar joins dot and ring.';
const CAPTION = 'The dot, and a ring where the eye looks: the bar between them is the error. At half speed.';

export interface PlayedStage {
  set(r: Float64Array, y: Float64Array): void;
}

/** A stage with a clock and a button of its own. */
export function playedStage(host: HTMLElement, id: string, className = ''): PlayedStage {
  const figure = make('figure', { class: `stage-box ${className}` });
  host.append(figure);
  let signals: { r: Float64Array; y: Float64Array } | null = null;
  const clock = trialClock();
  const drawn = stage(figure, SAYS);
  const buttons = make('div', { class: 'buttons' });
  figure.append(make('figcaption', {}, CAPTION), buttons);

  function tick(seconds: number): void {
    const n = clock.step(seconds * SLOWER);
    if (signals) drawn.show(signals.r[n]!, signals.y[n]!);
  }
  const clockwork = player({ id: `${id}-play`, what: 'the eye', host: buttons, watched: figure, onTick: tick });
  return {
    set(r, y) {
      const first = signals === null;
      signals = { r, y };
      tick(0);
      if (first && !lessMotion()) clockwork.play(true);
    },
  };
}
