// SPDX-License-Identifier: Apache-2.0
// look: how a role is drawn. The colours differ in lightness as well as in hue, all have a contrast of 3:1
// or more with the background, and the dashes tell curves apart without any colour. style.css has the same
// colours under --role-NAME; a test compares them.
import type { Role } from './figure';

export interface Look {
  light: string;
  dark: string;
  /** Pixels. */
  width: number;
  /** Lengths of line and gap in pixels; []: a solid line. */
  dash: number[];
}

export const LOOKS: Record<Role, Look> = {
  target: { light: '#1d2126', dark: '#eceae6', width: 1.5, dash: [6, 4] },
  reactive: { light: '#c2410c', dark: '#ff9a5c', width: 2, dash: [] },
  learned: { light: '#0067a5', dark: '#62b8f5', width: 2.25, dash: [] },
  error: { light: '#a8246f', dark: '#f191c4', width: 1.75, dash: [] },
  o: { light: '#00785a', dark: '#45cfa3', width: 2.25, dash: [] },
  optimum: { light: '#5b636d', dark: '#aab3bd', width: 1.5, dash: [2, 3] },
  before: { light: '#6d7681', dark: '#98a2ad', width: 1.75, dash: [9, 4] },
  faint: { light: '#89929d', dark: '#6d7783', width: 1, dash: [] },
  1: { light: '#8f5f00', dark: '#e6b84a', width: 2, dash: [10, 4] },
  2: { light: '#00785a', dark: '#45cfa3', width: 2, dash: [4, 3] },
  3: { light: '#a8246f', dark: '#f191c4', width: 2, dash: [12, 4, 3, 4] },
  4: { light: '#6a4bbd', dark: '#b9a4ff', width: 2, dash: [2, 3] },
  5: { light: '#007a8f', dark: '#5fd3e6', width: 2, dash: [8, 3, 2, 3, 2, 3] },
  6: { light: '#6b5d2e', dark: '#cdbd84', width: 2, dash: [16, 5] },
};

/** The part of an SVG or a page that is not a curve. */
export const PAPER = {
  light: { background: '#ffffff', ink: '#1d2126', quiet: '#5b636d', grid: '#e4e6e9' },
  dark: { background: '#181b20', ink: '#eceae6', quiet: '#aab3bd', grid: '#2c3138' },
};

export function variable(role: Role): string {
  return `--role-${role}`;
}
