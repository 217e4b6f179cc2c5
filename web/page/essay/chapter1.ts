// SPDX-License-Identifier: Apache-2.0
// chapter1: a loop with a delay lags. Two sliders, the eye, the figure, the margins.
//
// Elements by id: chapter1-delay, chapter1-gain (sliders); chapter1-try-paper, -try-no-delay, -try-strong,
// -try-unstable (buttons); chapter1-lag, -gain-margin, -phase-margin, -delay-margin (values);
// chapter1-result (the verdict in words; chapter1-result-heard: the same, read aloud); chapter1-eye-play
// (plays the eye). The figure has the id figure-chapter1-follow.
import { client, latest } from '../parts/client';
import { number, withUnit } from '../parts/number';
import { plot } from '../parts/plot';
import { slider } from '../parts/slider';
import { attempt } from './attempt';
import { followFigure, lagOf, verdict, type Following } from './chapter1_figures';
import { button, livePart, make, place, resultLine } from './dom';
import { values } from './facts';
import { DELAY_MS, pursuitLoop, target } from './pursuit';
import { playedStage } from './stage';

export { staticFigures } from './chapter1_figures';

/** Buttons for the settings that the text speaks of. */
const TRIES = [
  { id: 'paper', label: 'The paper’s loop', delayMs: DELAY_MS, gain: 1 },
  { id: 'no-delay', label: 'No delay', delayMs: 0, gain: 1 },
  { id: 'strong', label: 'No delay, gain 3', delayMs: 0, gain: 3 },
  { id: 'unstable', label: '50 ms, gain 3', delayMs: DELAY_MS, gain: 3 },
];

export function chapter1(host: HTMLElement): void {
  const r = target();
  const compute = latest(async (delayMs: number, gain: number): Promise<Following> => {
    const cfpc = await client();
    const loop = pursuitLoop(delayMs, gain);
    const [facts, y] = await Promise.all([cfpc.loop(loop), cfpc.simulate(loop, r)]);
    return { delayMs, gain, facts, r, y };
  });
  attempt(async () => {
    const first = await compute(DELAY_MS, 1);
    if (first) start(livePart(host), first, compute);
  });
}

type Compute = (delayMs: number, gain: number) => Promise<Following | undefined>;

function start(live: HTMLElement, first: Following, compute: Compute): void {
  const eye = playedStage(live, 'chapter1-eye');
  const controls = place(live, 'controls');
  const delay = slider(controls, {
    id: 'chapter1-delay',
    label: 'Delay',
    unit: 'ms',
    min: 0,
    max: 120,
    step: 1,
    value: first.delayMs,
    onInput: update,
  });
  const gain = slider(controls, {
    id: 'chapter1-gain',
    label: 'Controller gain',
    min: 0.5,
    max: 4,
    step: 0.1,
    value: first.gain,
    format: (value) => `${number(value)} × the paper’s`,
    onInput: update,
  });
  live.append(
    make(
      'div',
      { class: 'buttons', role: 'group', 'aria-label': 'Settings to try' },
      ...TRIES.map((one) =>
        button(`chapter1-try-${one.id}`, one.label, () => {
          delay.set(one.delayMs);
          gain.set(one.gain);
          update();
        }),
      ),
    ),
  );
  const say = resultLine(live, 'chapter1-result');
  const setValues = values(live, 'chapter1', [
    { id: 'lag', label: 'lag of the eye' },
    { id: 'gain-margin', label: 'gain margin' },
    { id: 'phase-margin', label: 'phase margin' },
    { id: 'delay-margin', label: 'delay margin' },
  ]);
  const figure = plot(live, followFigure(first), { downloads: true });

  function show(at: Following): void {
    eye.set(at.r, at.y);
    say(verdict(at));
    setValues(marginWords(at));
    live.classList.toggle('unstable', !at.facts.stable);
    figure.update(followFigure(at));
  }

  function update(): void {
    attempt(async () => {
      const at = await compute(delay.value, gain.value);
      if (at) show(at); // undefined: a newer one is on its way
    });
  }
  show(first);
}

function marginWords(at: Following): Record<string, string> {
  const { stable, gainMargin, phaseMarginDeg, delayMarginMs } = at.facts;
  if (!stable) return { lag: 'none', 'gain-margin': 'none', 'phase-margin': 'none', 'delay-margin': 'none' };
  return {
    lag: withUnit(lagOf(at), 'ms'),
    'gain-margin': `× ${number(gainMargin)}`,
    'phase-margin': `${number(phaseMarginDeg)}°`,
    'delay-margin': withUnit(delayMarginMs, 'ms'),
  };
}
