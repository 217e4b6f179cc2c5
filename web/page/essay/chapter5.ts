// SPDX-License-Identifier: Apache-2.0
// chapter5: what can go wrong. The eye's delay is moved away from the one that its forward model believes:
// the certificate says what will come of it, the run shows it, and the guard ends it.
//
// Elements by id: chapter5-model (slider, 10 to 90 ms); chapter5-guard (checkbox); chapter5-compare (button,
// which fills the figure chapter5-range); chapter5-verdict, -ends, -grows, -delays, -gains (values);
// chapter5-advice; chapter5-said (what is predicted, in words) and chapter5-result (what happened), both also
// read aloud: chapter5-said-heard, chapter5-result-heard. The figures have the ids chapter5-run, chapter5-eye,
// chapter5-range.
import type { Certificate } from '../../cfpc/src/types';
import { client, latest } from '../parts/client';
import { number } from '../parts/number';
import { plot, type Plot } from '../parts/plot';
import { slider } from '../parts/slider';
import { attempt } from './attempt';
import { rangeWords } from './certificate';
import {
  figures,
  pointOf,
  RANGE,
  rangeDelays,
  rangeFigure,
  ranWords,
  runOf,
  saidWords,
  wrongOf,
  type Point,
  type Wrong,
} from './chapter5_figures';
import { button, livePart, make, place, resultLine } from './dom';
import { values } from './facts';
import { harmed, percent } from './outcome';
import { wrongModelSpec } from './specs';

export { staticFigures } from './chapter5_figures';

/** Where the slider starts: a model that is too fast, and a certificate that says so. */
const START_MS = 80;
/** A certificate takes longer than a run: it is asked for once the slider rests. */
const REST_MS = 120;

export function chapter5(host: HTMLElement): void {
  const live = livePart(host);
  const controls = place(live, 'controls');
  const delay = slider(controls, {
    id: 'chapter5-model',
    label: 'Delay of the eye (the model believes 50 ms)',
    unit: 'ms',
    ...RANGE,
    value: START_MS,
    onInput: refresh,
  });
  const guard = checkbox(controls, 'chapter5-guard', 'Guard on', refresh);
  const sayBefore = resultLine(live, 'chapter5-said');
  const show = values(live, 'chapter5', [
    { id: 'verdict', label: 'verdict of the certificate' },
    { id: 'ends', label: 'error in the end' },
    { id: 'grows', label: 'distance of the weights, at most' },
    { id: 'delays', label: 'same verdict for delays' },
    { id: 'gains', label: 'and for gains of the eye' },
  ]);
  const advice = make('p', { id: 'chapter5-advice', class: 'note' });
  live.append(advice);
  const say = resultLine(live, 'chapter5-result');
  const grid = place(live, 'figures');
  const boxes = ['run', 'eye'].map(() => place(grid, 'figure-box'));
  const plots: Plot[] = [];
  const run = latest(ran);
  let rest: ReturnType<typeof setTimeout> | undefined;

  function refresh(): void {
    clearTimeout(rest);
    const delayMs = delay.value;
    attempt(async () => {
      const at = await run(delayMs, guard.checked);
      if (!at) return; // a newer one is on its way
      draw(at);
      if (!at.said) rest = setTimeout(() => attempt(() => certifyThen(delayMs)), REST_MS);
    });
  }

  /** The run is shown at once, and again with its certificate if the slider has not moved on. */
  async function certifyThen(delayMs: number): Promise<void> {
    await certificateOnce(delayMs);
    if (delay.value === delayMs) refresh();
  }

  function draw(at: Wrong): void {
    sayBefore(saidWords(at), at.said !== null);
    say(ranWords(at), at.said !== null);
    show(saidValues(at));
    live.querySelector('.facts')?.setAttribute('aria-busy', String(at.said === null));
    advice.replaceChildren(...(at.said ? ['Its advice: ', ...withCode(at.said.advice)] : []));
    live.querySelector('#chapter5-result')?.classList.toggle('bad', harmed(at.guarded ?? at.free));
    figures(at).forEach((figure, n) => {
      if (plots[n]) plots[n].update(figure);
      else plots[n] = plot(boxes[n]!, figure, { downloads: true });
    });
  }
  comparison(live);
  refresh();
}

function checkbox(host: HTMLElement, id: string, label: string, onChange: () => void): HTMLInputElement {
  const input = make('input', { type: 'checkbox', id });
  input.addEventListener('change', onChange);
  host.append(make('label', { class: 'check', for: id }, input, ` ${label}`));
  return input;
}

/** Settings are between backticks. */
function withCode(text: string): (string | HTMLElement)[] {
  return text.split('`').map((part, n) => (n % 2 ? make('code', {}, part) : part));
}

// ---- what is computed ------------------------------------------------------------------------------

const certificates = new Map<number, Certificate>();

async function certificateOnce(delayMs: number): Promise<Certificate> {
  const known = certificates.get(delayMs);
  if (known) return known;
  const made = await (await client()).certify(wrongModelSpec(delayMs, false));
  certificates.set(delayMs, made);
  return made;
}

async function ran(delayMs: number, guarded: boolean): Promise<Wrong> {
  const cfpc = await client();
  const { spec, options } = runOf(delayMs, guarded);
  const result = await cfpc.run(spec, options);
  return wrongOf(delayMs, certificates.get(delayMs) ?? null, result);
}

function saidValues({ said }: Wrong): Record<string, string> {
  if (!said) return { verdict: '…', ends: '…', grows: '…', delays: '…', gains: '…' };
  return {
    verdict: said.verdict,
    ends: Number.isNaN(said.asymptote) ? 'none' : percent(said.asymptote),
    grows: said.verdict === 'diverges' ? 'without limit' : `× ${number(said.growth)}`,
    delays: rangeWords(said.delayMs, 'ms'),
    gains: rangeWords(said.gain, 'times'),
  };
}

// ---- verdict and outcome over the whole range ------------------------------------------------------

function comparison(live: HTMLElement): void {
  const start = button('chapter5-compare', 'Compare verdict and run over the whole range', () => {
    start.disabled = true;
    attempt(() => compare().finally(() => (start.disabled = false)));
  });
  live.append(make('div', { class: 'buttons' }, start));
  const box = place(live, 'figure-box');
  let drawn: Plot | undefined;

  async function compare(): Promise<void> {
    const points: Point[] = [];
    for (const delayMs of rangeDelays()) {
      await certificateOnce(delayMs);
      points.push(pointOf(await ran(delayMs, true)));
      const figure = rangeFigure(points);
      if (drawn) drawn.update(figure);
      else drawn = plot(box, figure, { downloads: true });
    }
  }
}
