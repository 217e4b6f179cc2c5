// SPDX-License-Identifier: Apache-2.0
// story: the panels that a spec's story asks for, as far as a page can follow it: they come first, under
// its titles.
import { parse } from 'yaml';
import type { Result } from '../../cfpc/src/types';
import type { Figure, Mark, Series } from '../parts/figure';
import { curves } from './figures/curves';
import { bars } from './figures/measured';

interface Panel {
  kind?: string;
  title?: string;
  label?: string;
  phase?: string;
  show?: string[];
  marks_s?: number[];
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

// The figure that shows what a panel shows; '': none does. Without a phase a panel is about the last trial.
function figureOf(panel: Panel): string {
  const shows = panel.show ?? [];
  const rules = panel.rules ?? [];
  if (panel.kind === 'gain') return 'gain';
  if (panel.kind === 'responses') return 'responses-amplitude';
  if (panel.kind === 'curves') return rules.length === 0 ? 'curves' : '';
  if (panel.kind !== 'signals') return '';
  if (shows.includes('y')) return panel.phase ? `phase-${panel.phase}` : rules.length > 1 ? '' : 'behaviour';
  if (!shows.includes('o')) return '';
  return panel.phase ? `phase-${panel.phase}-o` : 'errors';
}

function sentence(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

// Only the panel's rules (default: the main one), if the figure tells its curves apart by rules.
function curvesOf(figure: Figure, panel: Panel, main: string): Series[] {
  const rules = panel.rules ?? (panel.kind === 'signals' ? [main] : []);
  const named = (one: Series): boolean => rules.some((rule) => one.name === rule || one.name.endsWith(`, ${rule}`));
  return figure.series.some(named) ? figure.series.filter((one) => named(one) || one.role === 'target') : figure.series;
}

/** The figure under the title of its panel, with the lines that the title may speak of. */
function titled(figure: Figure, panel: Panel, main: string): Figure {
  const lines = (panel.marks_s ?? []).map((x): Mark => ({ x, says: '' }));
  return {
    ...figure,
    series: curvesOf(figure, panel, main),
    title: panel.title ? sentence(panel.title) : figure.title,
    ...(lines.length > 0 ? { marks: [...(figure.marks ?? []), ...lines] } : {}),
  };
}

// What only the story shows: curves of some of the rules, and rows of measures.
function own(result: Result, panel: Panel, i: number): Figure[] {
  const id = `story-${i + 1}`;
  const title = sentence(panel.title ?? `Panel ${i + 1}`);
  if (panel.kind === 'bars' && Array.isArray(panel.measures))
    return bars(result, { id, title, label: panel.label ?? '', measures: panel.measures, names: panel.names ?? [] });
  const rules = panel.rules ?? [];
  if (panel.kind === 'curves' && rules.length > 0 && rules.length < result.rules.length)
    return curves(result, rules).map((figure) => ({ ...figure, id, title }));
  return [];
}

/** The story's figures in its order, then the others. */
export function told(result: Result, figures: Figure[]): Figure[] {
  const told: Figure[] = [];
  panelsOf(result).forEach((panel, i) => {
    const figure = figures.find((one) => one.id === figureOf(panel));
    if (!figure) told.push(...own(result, panel, i));
    else if (!told.some((one) => one.id === figure.id)) told.push(titled(figure, panel, result.rule));
  });
  return [...told, ...figures.filter((figure) => !told.some((one) => one.id === figure.id))];
}
