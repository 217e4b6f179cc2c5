// SPDX-License-Identifier: Apache-2.0
// index: starts the essay, where this browser can run it.
import { startPage } from './parts/page';

if (startPage()) void import('./essay/essay');
