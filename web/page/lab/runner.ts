// SPDX-License-Identifier: Apache-2.0
// runner: one run or certificate at a time in the worker, with progress and stop. Of those that are asked
// for while one is under way, only the newest follows.
import { CfpcError } from '../../cfpc/src/cfpc';
import { whyOf as plain } from '../../cfpc/src/error';
import type { Certificate, Options, Result, Spec, Why } from '../../cfpc/src/types';
import { client } from '../parts/client';

export interface Run {
  what: 'run' | 'certify';
  spec: Spec;
  options: Options;
}

export interface Listener {
  onStart(): void;
  onProgress(what: string, done: number, total: number): void;
  onDone(run: Run, result: Result): void;
  onCertified(run: Run, certificate: Certificate): void;
  onTrouble(run: Run, why: Why): void;
  /** After the last of them, whatever came of it. */
  onEnd(): void;
}

export interface Runner {
  run(run: Run): void;
  stop(): void;
  readonly busy: boolean;
}

/** The message that is shown for an exception, whoever threw it. */
export function whyOf(thrown: unknown): Why {
  if (thrown instanceof CfpcError) return plain(thrown);
  return { outcome: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) };
}

export function runner(listener: Listener): Runner {
  let busy = false;
  let next: Run | undefined;

  async function one(run: Run): Promise<void> {
    try {
      const remote = await client();
      if (run.what === 'run') listener.onDone(run, await remote.run(run.spec, run.options, listener.onProgress));
      else listener.onCertified(run, await remote.certify(run.spec, run.options, listener.onProgress));
    } catch (thrown) {
      listener.onTrouble(run, whyOf(thrown));
    }
  }

  async function all(first: Run): Promise<void> {
    busy = true;
    listener.onStart();
    for (let run: Run | undefined = first; run; run = next) {
      next = undefined;
      await one(run);
    }
    busy = false;
    listener.onEnd();
  }

  return {
    run(run) {
      if (busy) next = run;
      else void all(run);
    },
    stop() {
      next = undefined;
      // A worker that cannot be started is said by the run that asked for it.
      if (busy)
        void client().then(
          (remote) => remote.stop(),
          () => undefined,
        );
    },
    get busy() {
      return busy;
    },
  };
}
