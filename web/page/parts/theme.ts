// SPDX-License-Identifier: Apache-2.0
// theme: dark or light: what the system prefers until a person chooses, and then what was chosen.
// early.js sets it before anything is drawn.

const KEY = 'cfpc-theme';
export type Theme = 'light' | 'dark';
const watchers = new Set<() => void>();

const preference = () => matchMedia('(prefers-color-scheme: dark)');

export function theme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return preference().matches ? 'dark' : 'light';
}

/** Called after the theme has changed; gives back what ends it. */
export function onTheme(changed: () => void): () => void {
  if (watchers.size === 0) preference().addEventListener('change', tell);
  watchers.add(changed);
  return () => {
    watchers.delete(changed);
    if (watchers.size === 0) preference().removeEventListener('change', tell);
  };
}

function tell(): void {
  for (const changed of watchers) changed();
}

function choose(chosen: Theme): void {
  document.documentElement.dataset.theme = chosen;
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Storage may be forbidden: the choice then holds for this page only.
  }
  tell();
}

/** A button that changes to the other theme. */
export function themeButton(button: HTMLElement): void {
  const show = () => {
    button.textContent = theme() === 'dark' ? 'Light theme' : 'Dark theme';
  };
  button.addEventListener('click', () => choose(theme() === 'dark' ? 'light' : 'dark'));
  onTheme(show);
  show();
}

/** The value of a custom property of style.css in the present theme. */
export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
