// SPDX-License-Identifier: Apache-2.0
// figures_view: the figures of the last run. A figure is drawn when it comes near the screen, and again
// only while it is there: a slider redraws what is seen, not twenty figures.
import type { Figure } from '../parts/figure';
import { plot } from '../parts/plot';
import { el } from './dom';

const NEAR = '300px';

interface Place {
  box: HTMLElement;
  figure: Figure;
  /** The figure that is drawn; undefined: none yet. */
  drawn?: Figure;
  handle?: ReturnType<typeof plot>;
  seen: boolean;
}

export interface FiguresView {
  show(figures: Figure[]): void;
  /** Draws those that are not near the screen too, as for printing. */
  drawAll(): void;
}

/** An id of HTML from that of a figure, which may hold a rule's name. */
export function htmlId(figure: Figure): string {
  return `figure-${figure.id.replace(/[^\w-]+/g, '_')}`;
}

function draw(place: Place, prefix: () => string): void {
  if (place.drawn === place.figure) return;
  // Other curves need other scales and another legend; numbers alone are replaced.
  if (place.handle) place.handle.update(place.figure);
  else place.handle = plot(place.box, place.figure, { downloads: true, prefix });
  place.drawn = place.figure;
}

/** prefix: what the names of downloaded files begin with. */
export function figuresView(host: HTMLElement, prefix: () => string): FiguresView {
  const places = new Map<string, Place>();
  const watch = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const place = [...places.values()].find((one) => one.box === entry.target);
        if (!place) continue;
        place.seen = entry.isIntersecting;
        if (place.seen) draw(place, prefix);
      }
    },
    { rootMargin: NEAR },
  );

  function add(figure: Figure): Place {
    const box = el('div', { id: htmlId(figure), class: 'lab-figure', 'data-figure': figure.id });
    const place: Place = { box, figure, seen: false };
    places.set(figure.id, place);
    watch.observe(box);
    return place;
  }

  function remove(id: string, place: Place): void {
    watch.unobserve(place.box);
    place.handle?.destroy();
    place.box.remove();
    places.delete(id);
  }

  return {
    show(figures) {
      const ids = new Set(figures.map((figure) => figure.id));
      for (const [id, place] of [...places]) if (!ids.has(id)) remove(id, place);
      figures.forEach((figure, i) => {
        const place = places.get(figure.id) ?? add(figure);
        place.figure = figure;
        if (host.children[i] !== place.box) host.insertBefore(place.box, host.children[i] ?? null);
        if (place.seen) draw(place, prefix);
      });
    },
    drawAll() {
      for (const place of places.values()) draw(place, prefix);
    },
  };
}
