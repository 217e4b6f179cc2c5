// SPDX-License-Identifier: Apache-2.0
// figure: what a figure shows, as data. plot.ts draws it, svg.ts and csv.ts write it to files, and
// table.ts makes of it the table that a screen reader reads.

export interface Axis {
  /** With its unit: "time (s)". */
  label: string;
  log?: boolean;
  /** Fixed ends; default: those of the data. */
  min?: number;
  max?: number;
}

/** What a curve is, which decides its colour and line, the same on every page. */
export type Role =
  | 'target' // r
  | 'reactive' // without a cell
  | 'learned' // y after learning, the main rule
  | 'error'
  | 'o' // the counterfactual error
  | 'optimum'
  | 'before' // the run that it is compared with
  | 'faint' // many alike: bases, earlier trials
  | 1
  | 2
  | 3
  | 4
  | 5
  | 6; // rules beside the main one, in their order

export interface Series {
  name: string;
  role: Role;
  /** One value per x of the figure; NaN: a gap. */
  values: ArrayLike<number>;
  /** Points instead of a line. */
  points?: boolean;
}

/** A line across the figure: at an x or at a y, with a word beside it. */
export interface Mark {
  x?: number;
  y?: number;
  says: string;
}

export interface Figure {
  /** Unique in its page; names downloaded files. */
  id: string;
  /** What is seen, in a sentence's words. */
  title: string;
  x: Axis;
  y: Axis;
  /** Ascending. */
  xs: ArrayLike<number>;
  series: Series[];
  marks?: Mark[];
  /** What a person who does not see it should know, one or two sentences with numbers. */
  says: string;
}
