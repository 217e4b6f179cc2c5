// SPDX-License-Identifier: Apache-2.0
// chapter2: what if the error were known in advance? The reader draws o, and the eye is driven by r + o.
//
// Elements by id: chapter2-draw (the field), chapter2-draw-point-1 … -24 (sliders on it, one per 100 ms);
// chapter2-ahead (slider); chapter2-best, chapter2-clear (buttons); chapter2-error, chapter2-record,
// chapter2-best-error (values); chapter2-result (in words; chapter2-result-heard: read aloud);
// chapter2-eye-play (plays the eye). The figure has the id figure-chapter2-eye.
import type { Learned } from '../../cfpc/src/types';
import { client, latest } from '../parts/client';
import { number } from '../parts/number';
import { plot } from '../parts/plot';
import { slider } from '../parts/slider';
import { attempt } from './attempt';
import { driveFigure, driveWords, errorOf, lastTrial, type Driven } from './chapter2_figures';
import { button, livePart, make, place, resultLine } from './dom';
import { drawing } from './drawing';
import { values } from './facts';
import { learnedOnce } from './learned';
import { minus, plus } from './measures';
import { STEPS, STEP_MS, pursuitLoop, target } from './pursuit';
import { sentAhead } from './shape';
import { playedStage } from './stage';

export { staticFigures } from './chapter2_figures';

export function chapter2(host: HTMLElement): void {
  attempt(() => start(host));
}

async function start(host: HTMLElement): Promise<void> {
  const loop = pursuitLoop();
  const r = target();
  const cfpc = await client();
  const reactive = await cfpc.simulate(loop, r);
  const e0 = minus(r, reactive);
  const live = livePart(host);
  let record = 1; // the lowest rRMSE of a drawing
  let own = true; // whether o is a drawing from 0, not one of the buttons' with changes

  const field = drawing(live, 'chapter2-draw', e0, (o) => attempt(() => update(o)));
  live.append(
    make(
      'div',
      { class: 'buttons' },
      button('chapter2-clear', 'Clear', () => put(new Float64Array(STEPS), true)),
      button('chapter2-best', 'Show the o that chapter 3 learns', () =>
        attempt(async () => put(lastTrial(await learnedOnce()).o, false)),
      ),
    ),
  );
  slider(place(live, 'controls'), {
    id: 'chapter2-ahead',
    label: 'Or send the error of the eye without o ahead by',
    unit: 'ms',
    min: 0,
    max: 150,
    step: 5,
    value: 0,
    onInput: (value) => put(sentAhead(e0, Math.round(value / STEP_MS)), false),
  });
  const say = resultLine(live, 'chapter2-result');
  const none = new Float64Array(STEPS);
  const figure = plot(live, driveFigure({ r, o: none, reactive, y: reactive }), { height: 240, downloads: true });
  const show = values(live, 'chapter2', [
    { id: 'error', label: 'rRMSE now' },
    { id: 'record', label: 'your best drawing' },
    { id: 'best-error', label: 'learned in chapter 3' },
  ]);
  const eye = playedStage(live, 'chapter2-eye', 'learned');

  const compute = latest(
    async (o: Float64Array): Promise<Driven> => ({
      r,
      o,
      reactive,
      y: await (await client()).simulate(loop, plus(r, o)),
    }),
  );

  function put(o: Float64Array, isOwn: boolean): void {
    own = isOwn;
    field.set(o);
    attempt(() => update(o));
  }

  async function update(o: Float64Array): Promise<void> {
    const at = await compute(o);
    if (!at) return; // a newer one is on its way
    const error = errorOf(at);
    if (own) record = Math.min(record, error);
    say(driveWords(at));
    show({ error: number(error), record: record < 1 ? number(record) : 'none yet' });
    eye.set(at.r, at.y);
    figure.update(driveFigure(at));
  }

  await update(none);
  const learned: Learned = await learnedOnce();
  show({ 'best-error': number(learned.rrmse[learned.rrmse.length - 1]!) });
}
