// SPDX-License-Identifier: Apache-2.0
// story: the panels that a spec's story asks for, as far as a page can follow it: the title of a figure
// that is drawn anyway, curves of some of the rules, and measures as a row of points.
import { parse } from 'yaml';
import type { Result } from '../../cfpc/src/types';
import type { Figure } from '../parts/figure';
import { curves } from './figures/curves';
import { bars } from './figures/measured';

interface Panel {
  kind?: string;
  title?: string;
  label?: string;
  show?: string[];
  rules?: string[];
  names?: string[];
  measures?: string[];
}

/** The story's panels in the spec as it was run; none where there is no story. */
export function panelsOf(result: Result): Panel[] {
  try {
    const spec = parse(result.spec, { schema: 'core' }) as { story?: { panels?: Panel[] } } | null;
    const panels = spec?.story?.panels;
    return Array.isArray(panels) ? panels.filter((panel) => typeof panel === 'object' && panel !== null) : [];
  } catch {
    return []; // a result holds a spec that was read before; without its story the figures are complete
  }
}

// The figure that shows what a panel shows; '': none does.
function figureOf(panel: Panel): string {
  const shows = panel.show ?? [];
  if (panel.kind === 'gain') return 'gain';
  if (panel.kind === 'responses') return 'responses-amplitude';
  if (panel.kind === 'curves') return (panel.rules ?? []).length === 0 ? 'curves' : '';
  if (panel.kind !== 'signals' || (panel.rules ?? []).length > 1) return '';
  if (shows.includes('o') || shows.includes('e')) return 'errors';
  return shows.includes('y') ? 'behaviour' : '';
}

function sentence(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** The figures, with the titles of the story's panels that show the same. */
export function titled(figures: Figure[], panels: Panel[]): Figure[] {
  return figures.map((figure) => {
    const panel = panels.find((one) => figureOf(one) === figure.id);
    return panel?.title ? { ...figure, title: sentence(panel.title) } : figure;
  });
}

/** What only the story shows: curves of some of the rules, and rows of measures. */
export function ownFigures(result: Result, panels: Panel[]): Figure[] {
  return panels.flatMap((panel, i): Figure[] => {
    const id = `story-${i + 1}`;
    const title = sentence(panel.title ?? `Panel ${i + 1}`);
    if (panel.kind === 'bars' && Array.isArray(panel.measures))
      return bars(result, { id, title, label: panel.label ?? '', measures: panel.measures, names: panel.names ?? [] });
    const rules = panel.rules ?? [];
    if (panel.kind === 'curves' && rules.length > 0 && rules.length < result.rules.length)
      return curves(result, rules).map((figure) => ({ ...figure, id, title }));
    return [];
  });
}
