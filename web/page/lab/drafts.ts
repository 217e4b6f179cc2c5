// SPDX-License-Identifier: Apache-2.0
// drafts: edits that are not lost by another choice or a reload: one text per experiment, kept by the
// browser until its tab is closed.

const KEY = 'cfpc-lab';

export interface Kept {
  /** The experiment that is chosen. */
  chosen?: string;
  /** The address that the text '#link' came from. */
  link?: string;
  /** Edited texts by experiment. */
  texts: Record<string, string>;
  /** Keys with a slider, by experiment. */
  sliders: Record<string, string[]>;
}

const isTextMap = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
const isListMap = (value: unknown): value is Record<string, string[]> =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => Array.isArray(one));

/** What is kept; nothing where the browser keeps nothing, or where it is damaged. */
export function kept(): Kept {
  try {
    const { chosen, link, texts, sliders } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    return {
      ...(typeof chosen === 'string' ? { chosen } : {}),
      ...(typeof link === 'string' ? { link } : {}),
      texts: isTextMap(texts) ? texts : {},
      sliders: isListMap(sliders) ? sliders : {},
    };
  } catch {
    return { texts: {}, sliders: {} };
  }
}

export function keep(what: Kept): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(what));
  } catch {
    // Full, or forbidden: the page works without it, and the text is still in the editor.
  }
}
