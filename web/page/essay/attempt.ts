// SPDX-License-Identifier: Apache-2.0
// attempt: work whose failure is said in the page's status line.
import { say } from '../parts/say';

export function attempt(work: () => Promise<void>): void {
  work().catch((why: unknown) => say(why instanceof Error ? why.message : String(why), 'error'));
}
