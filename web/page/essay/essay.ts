// SPDX-License-Identifier: Apache-2.0
// essay: starts each chapter when it comes near the screen.
import { attempt } from './attempt';
import { chapter1 } from './chapter1';
import { chapter2 } from './chapter2';
import { chapter3 } from './chapter3';
import { chapter4 } from './chapter4';
import { chapter5 } from './chapter5';

const CHAPTERS: Record<string, (host: HTMLElement) => void> = {
  'chapter-1': chapter1,
  'chapter-2': chapter2,
  'chapter-3': chapter3,
  'chapter-4': chapter4,
  'chapter-5': chapter5,
};

/** Pixels below and above the screen. */
const NEAR = '600px';

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      attempt(async () => CHAPTERS[target.id]?.(target as HTMLElement));
    }
  },
  { rootMargin: NEAR },
);

for (const id of Object.keys(CHAPTERS)) {
  const host = document.getElementById(id);
  if (host) observer.observe(host);
}
