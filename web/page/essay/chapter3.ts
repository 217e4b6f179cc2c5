// SPDX-License-Identifier: Apache-2.0
// chapter3: learning, trial by trial: the weights, o, the error and the eye of one trial after another.
//
// Elements by id: chapter3-play, chapter3-back, chapter3-step, chapter3-restart (buttons); chapter3-trial
// (slider); chapter3-speed (select); chapter3-error, chapter3-optimum, chapter3-lead (values);
// chapter3-result (in words; chapter3-result-heard: read aloud). The figures have the ids
// figure-chapter3-weights (bars), figure-chapter3-curve, figure-chapter3-signals, figure-chapter3-eye.
import type { Learned } from '../../cfpc/src/types';
import { number, withUnit } from '../parts/number';
import { plot } from '../parts/plot';
import { slider } from '../parts/slider';
import { attempt } from './attempt';
import { bars } from './bars';
import { curveFigure, eyeFigure, signalsFigure, weightsFigure } from './chapter3_figures';
import { button, livePart, make, place, resultLine } from './dom';
import { values } from './facts';
import { learnedOnce } from './learned';
import { leadMs } from './measures';
import { lessMotion, player } from './player';
import { STEP_MS, target } from './pursuit';
import { clamp } from './shape';
import { stage, trialClock } from './stage';
import { trialOf, trialWords, trialsOf, type AtTrial } from './trial';

export { staticFigures } from './chapter3_figures';

/** Trials per second. */
const SPEEDS = [
  { rate: 0.4, label: 'as long as a trial takes' },
  { rate: 2, label: '2 trials per second' },
  { rate: 8, label: '8 trials per second' },
];
const USUAL_SPEED = 2;

export function chapter3(host: HTMLElement): void {
  attempt(async () => {
    const learned = await learnedOnce();
    start(livePart(host), learned);
  });
}

function start(live: HTMLElement, learned: Learned): void {
  const r = target();
  const trials = trialsOf(learned);
  let trial = 1;
  let share = 0; // of the next trial, while it is played
  const clock = trialClock();
  const at = (): AtTrial => ({ learned, r, trial });

  const eye = stage(place(live, 'stage-box learned'), 'A dot, and an eye that follows it as in this trial.');
  const controls = place(live, 'controls');
  const scrub = slider(controls, {
    id: 'chapter3-trial',
    label: 'Trial',
    min: 1,
    max: trials,
    step: 1,
    value: 1,
    onInput: (value) => goTo(value),
  });
  const speed = speedChoice();
  const buttons = make('div', { class: 'buttons' });
  live.append(buttons);
  const clockwork = player({
    id: 'chapter3-play',
    what: 'the trials',
    host: buttons,
    watched: live,
    onTick: tick,
    onPlay(playing) {
      if (playing && trial === trials) show(1);
      else show(trial);
    },
  });
  buttons.append(
    button('chapter3-back', 'One back', () => goTo(trial - 1)),
    button('chapter3-step', 'One trial', () => goTo(trial + 1)),
    button('chapter3-restart', 'From the start', () => goTo(1)),
    speed.label,
  );
  const say = resultLine(live, 'chapter3-result');
  const facts = values(live, 'chapter3', [
    { id: 'error', label: 'rRMSE of this trial' },
    { id: 'optimum', label: 'best of 20 bumps' },
    { id: 'lead', label: 'o begins before the dot by' },
  ]);
  const grid = place(live, 'figures');
  const weights = bars(grid, weightsFigure(at()));
  const options = { height: 240, downloads: true };
  const curve = plot(grid, curveFigure(at()), options);
  const signals = plot(grid, signalsFigure(at()), options);
  const position = plot(grid, eyeFigure(at()), options);

  function show(next: number): void {
    trial = clamp(next, 1, trials);
    scrub.set(trial);
    const { rrmse, o } = trialOf(at());
    say(trialWords(at()), !clockwork.playing);
    const lead = trial === 1 ? 'o is 0' : withUnit(leadMs(r, o, STEP_MS), 'ms');
    facts({ error: number(rrmse), optimum: number(learned.optimum), lead });
    weights.update(weightsFigure(at()));
    curve.update(curveFigure(at()));
    signals.update(signalsFigure(at()));
    position.update(eyeFigure(at()));
    showEye(0);
  }

  function showEye(seconds: number): void {
    const n = clock.step(seconds);
    eye.show(r[n]!, trialOf(at()).y[n]!);
  }

  /** By hand: what is played pauses. */
  function goTo(next: number): void {
    clockwork.play(false);
    share = 0;
    show(next);
  }

  function tick(seconds: number): void {
    share += seconds * speed.rate();
    const whole = Math.floor(share);
    share -= whole;
    if (whole > 0) show(trial + whole);
    if (trial === trials) clockwork.play(false);
    showEye(lessMotion() ? 0 : seconds);
  }

  show(1);
}

function speedChoice(): { label: HTMLElement; rate(): number } {
  const select = make('select', { id: 'chapter3-speed' });
  for (const { rate, label } of SPEEDS) select.append(new Option(label, String(rate)));
  select.value = String(USUAL_SPEED);
  return { label: make('label', { class: 'speed' }, 'Speed ', select), rate: () => Number(select.value) };
}
