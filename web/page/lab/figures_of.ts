// SPDX-License-Identifier: Apache-2.0
// figures_of: the figures of a result, by what it holds (docs/lab.md lists the names of its datasets).
import type { Result } from '../../cfpc/src/types';
import type { Figure } from '../parts/figure';
import { joints, zone } from './figures/cells';
import { curves, perTrials } from './figures/curves';
import { population } from './figures/measured';
import { delayScan, scale, tuning } from './figures/scans';
import { behaviour, command, errors, phases } from './figures/signals';
import { response, traces } from './figures/traces';
import { told } from './story';

/** In the order in which they are shown: what the experiment is about comes first. */
export function figuresOf(result: Result): Figure[] {
  return told(result, [
    ...zone(result),
    ...joints(result),
    ...population(result),
    ...scale(result),
    ...behaviour(result),
    ...errors(result),
    ...curves(result),
    ...traces(result),
    ...delayScan(result),
    ...perTrials(result),
    ...phases(result),
    ...tuning(result),
    ...command(result),
    ...response(result),
  ]);
}
