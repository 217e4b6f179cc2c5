// SPDX-License-Identifier: Apache-2.0
// learned: the learning of experiments/pursuit.yaml, which chapters 2 and 3 share, computed once.
import type { Learned } from '../../cfpc/src/types';
import { client } from '../parts/client';
import { pursuitLearn } from './pursuit';

let shared: Promise<Learned> | undefined;

export function learnedOnce(): Promise<Learned> {
  shared ??= client()
    .then((cfpc) => cfpc.learn(pursuitLearn()))
    .catch((why: unknown) => {
      shared = undefined; // the next call tries again
      throw why;
    });
  return shared;
}
