// SPDX-License-Identifier: Apache-2.0
// chapter4: when to learn. A trace is chosen, a cell learns with it, and the trace is laid over the effect
// that it should have.
//
// Elements by id: chapter4-loop (radio buttons chapter4-loop-eye, -arm); chapter4-trace (radio buttons
// chapter4-trace-delay, -forward-model, -whitened); chapter4-delay (slider, 0 to 200 ms; 0 to 600 for the
// arm); chapter4-try-none, -try-loop, -try-best (buttons); chapter4-early, -end, -optimum, -own, -other (values); chapter4-result
// (in words; chapter4-result-heard: read aloud). The figures have the ids chapter4-match, chapter4-curve,
// chapter4-scan.
import { client, latest } from '../parts/client';
import { number } from '../parts/number';
import { plot, type Plot } from '../parts/plot';
import { slider, type Slider } from '../parts/slider';
import { attempt } from './attempt';
import { figures, groundOf, learningOf, matchOf, verdict, type Ground, type Learning } from './chapter4_figures';
import { choice } from './choice';
import { button, livePart, make, place, resultLine } from './dom';
import { values } from './facts';
import { atTrial, harmed, last } from './outcome';
import { LOOPS, scanSpec, traceSpec, type LoopName, type TraceName } from './specs';

export { staticFigures } from './chapter4_figures';

const LOOP_CHOICES = [
  { value: 'eye', label: 'the eye' },
  { value: 'arm', label: 'an arm that rings' },
] as const;

const TRACE_CHOICES = [
  { value: 'delay', label: 'a delay' },
  { value: 'forward-model', label: 'a forward model' },
  { value: 'whitened', label: 'a whitened filter' },
] as const;

/** The trial by which a quick rule has learned. */
export const EARLY = 7;

export function chapter4(host: HTMLElement): void {
  const live = livePart(host);
  const controls = place(live, 'controls');
  const loop = choice<LoopName>(controls, {
    id: 'chapter4-loop',
    legend: 'The loop',
    options: LOOP_CHOICES,
    value: 'eye',
    onChange: changeLoop,
  });
  const trace = choice<TraceName>(controls, {
    id: 'chapter4-trace',
    legend: 'The trace of each input',
    options: TRACE_CHOICES,
    value: 'delay',
    onChange: refresh,
  });
  const delayBox = place(controls, 'delay');
  let delay = delaySlider(delayBox, 'eye', refresh);
  live.append(tries());
  const say = resultLine(live, 'chapter4-result');
  const show = values(live, 'chapter4', [
    { id: 'early', label: `error after ${EARLY} trials` },
    { id: 'end', label: 'after 50 trials' },
    { id: 'optimum', label: 'best possible' },
    { id: 'own', label: 'overlap with its own effect' },
    { id: 'other', label: 'with another’s, at most' },
  ]);
  const grid = place(live, 'figures');
  const boxes = ['wide', '', ''].map((kind) => place(grid, `figure-box ${kind}`.trim()));
  const plots: Plot[] = [];
  const learn = latest(learned);

  function changeLoop(name: LoopName): void {
    delayBox.replaceChildren();
    delay = delaySlider(delayBox, name, refresh);
    refresh();
  }

  function refresh(): void {
    delay.disable(trace.value !== 'delay');
    attempt(async () => {
      const at = await learn(loop.value, trace.value, delay.value);
      if (at) draw(at); // otherwise a newer one is on its way
    });
  }

  function draw({ ground, learning }: Learned4): void {
    say(verdict(ground, learning));
    show(valueWords(ground, learning));
    live.querySelector('.result')?.classList.toggle('bad', harmed(learning.outcome));
    figures(ground, learning).forEach((figure, n) => {
      if (plots[n]) plots[n].update(figure);
      else plots[n] = plot(boxes[n]!, figure, { downloads: true });
    });
  }

  function tries(): HTMLElement {
    const best = async (): Promise<void> => {
      const { delaysMs, scan } = await groundOnce(loop.value);
      tryDelay(delaysMs[scan.indexOf(Math.min(...scan))]!);
    };
    return make(
      'div',
      { class: 'buttons', role: 'group', 'aria-label': 'Delays to try' },
      button('chapter4-try-none', 'No delay', () => tryDelay(0)),
      button('chapter4-try-loop', 'The loop’s delay, 50 ms', () => tryDelay(50)),
      button('chapter4-try-best', 'The best delay', () => attempt(best)),
    );
  }

  function tryDelay(ms: number): void {
    delay.set(ms);
    const input = live.querySelector<HTMLInputElement>('#chapter4-trace-delay')!;
    if (input.checked) refresh();
    else input.click(); // its change refreshes
  }
  refresh();
}

function delaySlider(host: HTMLElement, loop: LoopName, onInput: () => void): Slider {
  const { maxDelayMs, stepMs, firstDelayMs } = LOOPS[loop];
  return slider(host, {
    id: 'chapter4-delay',
    label: 'Delay of the trace',
    unit: 'ms',
    min: 0,
    max: maxDelayMs,
    step: stepMs,
    value: firstDelayMs,
    onInput,
  });
}

interface Learned4 {
  ground: Ground;
  learning: Learning;
}

const grounds = new Map<LoopName, Promise<Ground>>();

/** One run per loop: it does not depend on the trace. */
function groundOnce(loop: LoopName): Promise<Ground> {
  const known = grounds.get(loop);
  if (known) return known;
  const made = client()
    .then((cfpc) => cfpc.run(scanSpec(loop)))
    .then((result) => groundOf(loop, result));
  grounds.set(loop, made);
  made.catch(() => grounds.delete(loop)); // the next call tries again
  return made;
}

async function learned(loop: LoopName, trace: TraceName, delayMs: number): Promise<Learned4> {
  const ground = await groundOnce(loop);
  const cfpc = await client();
  const result = await cfpc.run(traceSpec(loop, trace, delayMs));
  return { ground, learning: learningOf(loop, trace, delayMs, result) };
}

function valueWords(ground: Ground, { outcome, shown }: Learning): Record<string, string> {
  const match = matchOf(ground, shown);
  return {
    early: number(atTrial(outcome, EARLY)),
    end: outcome.divergedAt > 0 ? 'diverged' : number(last(outcome)),
    optimum: number(ground.model.optimum),
    own: number(match.own, 2),
    other: number(match.other, 2),
  };
}
