// SPDX-License-Identifier: Apache-2.0
// latest: a queue of one: asks the worker no more than it can answer.

/**
 * Of the calls that are made while one runs only the newest is run after it: a slider that is dragged
 * leaves no queue behind. A call that a newer one replaced gives undefined.
 */
export function latest<A extends unknown[], R>(
  call: (...args: A) => Promise<R>,
): (...args: A) => Promise<R | undefined> {
  let running = false;
  let waiting: { args: A; done: (result: Promise<R> | undefined) => void } | undefined;

  async function run(args: A): Promise<R> {
    running = true;
    try {
      return await call(...args);
    } finally {
      running = false;
      const next = waiting;
      waiting = undefined;
      next?.done(run(next.args));
    }
  }

  return (...args) => {
    if (!running) return run(args);
    waiting?.done(undefined);
    return new Promise((resolve) => {
      waiting = { args, done: resolve };
    });
  };
}
