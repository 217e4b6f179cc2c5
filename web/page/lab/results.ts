// SPDX-License-Identifier: Apache-2.0
// results: what is shown of a run, beside the kept one if there is one.
import type { Certificate, Result } from '../../cfpc/src/types';
import type { Figure } from '../parts/figure';
import { number } from '../parts/number';
import { type Plot, plot } from '../parts/plot';
import { certificateView, predictedCurve } from './certificate';
import { claimsTable, countOf } from './claims';
import { differencesTable, overlay } from './compare';
import { byId, el } from './dom';
import { divergedSentence } from './figures/data';
import { figuresOf } from './figures_of';
import { figuresView } from './figures_view';
import { measuresView } from './measures';

interface Shown {
  result: Result;
  published: string | undefined;
  figures: Figure[];
}

export interface Results {
  /** With the hash of the published result of what was run, unless it is no experiment's. */
  show(result: Result, published: string | undefined): void;
  showCertificate(certificate: Certificate): void;
  /** The run that is shown becomes the one that the next is compared with. */
  keep(): void;
  forget(): void;
  readonly result: Result | undefined;
}

/** What `cfpc run` would do with this result. */
export function exitSentence(result: Result): string {
  return result.ok ? '“cfpc run” would exit with 0.' : `“cfpc run” would exit with 1: ${result.says}`;
}

/** "in 0.22 s". */
export function timeOf(seconds: number): string {
  return seconds < 1 ? `${number(seconds * 1000, 2)} ms` : `${number(seconds, 3)} s`;
}

/** "its hash is 25af…, the published result, bit for bit". */
function hashSentence(result: Result, published: string | undefined): string {
  if (!published) return `Its hash is ${result.hash}.`;
  return result.hash === published
    ? `Its hash is ${result.hash}: the published result, bit for bit.`
    : `Its hash is ${result.hash}: these are NOT the bits of the published result, whose hash is ${published}.`;
}

function summary({ result, published }: Shown): HTMLElement[] {
  const diverged = divergedSentence(result);
  const first = el(
    'p',
    { id: 'lab-outcome', class: `result ${result.ok ? 'good' : 'bad'}` },
    [countOf(result.claims), exitSentence(result), diverged].filter((text) => text !== '').join(' '),
  );
  const settings = result.settings.split('\n').filter((line) => line.trim() !== '');
  const items = settings.map((line) => `With ${line}`);
  return [
    first,
    el(
      'p',
      { class: 'quiet-text' },
      `${result.name}, rule ${result.rule}: ${timeOf(result.seconds)} in this browser, cfpc ${result.version}.`,
    ),
    el('p', { id: 'lab-hash', class: 'quiet-text' }, hashSentence(result, published)),
    ...(items.length > 0 ? [el('ul', { id: 'lab-notes' }, ...items.map((text) => el('li', {}, text)))] : []),
  ];
}

export function results(): Results {
  const figures = figuresView(byId('lab-figures'), () => (now ? `${now.result.name}-` : ''));
  const measures = measuresView(byId<HTMLInputElement>('lab-measure-filter'), byId('lab-measures'));
  let now: Shown | undefined;
  let kept: Shown | undefined;
  let predicted: Plot | undefined;

  function draw(): void {
    if (!now) return;
    const { result } = now;
    byId('lab-summary').replaceChildren(...summary(now));
    byId('lab-claims').replaceChildren(claimsTable(result));
    measures.show(result.measures);
    for (const part of ['figures', 'claims', 'measures']) byId(`lab-${part}-part`).hidden = false;
    figures.show(kept && kept !== now ? overlay(now.figures, kept.figures) : now.figures);
    byId('lab-compare').hidden = !kept || kept === now;
    if (kept && kept !== now) byId('lab-differences').replaceChildren(differencesTable(result, kept.result));
  }

  function drawKept(): void {
    byId('lab-forget').hidden = !kept;
    byId('lab-kept').textContent = kept
      ? `A run of ${kept.result.name} is kept: the next run is drawn over it, and measures that differ are listed.`
      : '';
  }

  addEventListener('beforeprint', () => figures.drawAll());
  return {
    show(result, published) {
      now = { result, published, figures: figuresOf(result) };
      draw();
    },
    showCertificate(certificate) {
      byId('lab-certificate').hidden = false;
      byId('lab-certificate-text').replaceChildren(certificateView(certificate));
      predicted?.destroy();
      const host = byId('lab-certificate-figure');
      host.replaceChildren();
      const [figure] = predictedCurve(certificate);
      predicted = figure ? plot(host, figure, { downloads: true }) : undefined;
    },
    keep() {
      kept = now;
      drawKept();
      draw();
    },
    forget() {
      kept = undefined;
      drawKept();
      draw();
    },
    get result() {
      return now?.result;
    },
  };
}
