// SPDX-License-Identifier: Apache-2.0
// lab: starts the lab, where this browser can run it.
import { startPage } from './parts/page';

if (startPage()) void import('./lab/lab').then(({ lab }) => lab());
