// SPDX-License-Identifier: Apache-2.0
// worker: cfpc in a worker of a browser, or of Node. The page sends it the compiled WebAssembly.
import { CfpcError, sentenceOf, whyOf } from './error';
import { startLocal, type Local } from './local';
import type { FromWorker, ToWorker } from './protocol';
import type { Tick, Why } from './types';

const TICK_MS = 50; // between ticks, at least

type Post = (message: FromWorker, transfer: ArrayBuffer[]) => void;
type Call = Extract<ToWorker, { kind: 'call' }>;

/** The memory of all arrays in a value: it is transferred, not copied. */
function buffersOf(value: unknown, into: Set<ArrayBuffer> = new Set()): Set<ArrayBuffer> {
  if (value instanceof Float64Array) into.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null)
    for (const below of Object.values(value)) buffersOf(below, into);
  return into;
}

function ticker(post: Post, id: number): Tick {
  let last = -Infinity;
  return (what, done, total) => {
    const now = performance.now();
    if (now - last < TICK_MS) return;
    last = now;
    post({ kind: 'tick', id, what, done, total }, []);
  };
}

function whyFrom(thrown: unknown): Why {
  return thrown instanceof CfpcError ? whyOf(thrown) : { outcome: 'died', message: sentenceOf(thrown) };
}

function answer(cfpc: Local, post: Post, { id, method, args, ticks }: Call): void {
  try {
    const all = ticks ? [args[0], args[1], ticker(post, id)] : args;
    const value = (cfpc[method] as (...args: unknown[]) => unknown)(...all);
    post({ kind: 'done', id, value }, [...buffersOf(value)]);
  } catch (thrown) {
    post({ kind: 'why', id, why: whyFrom(thrown) }, []);
  }
}

/** Serves one page: `post` sends to it. */
function serve(post: Post): (message: ToWorker) => void {
  let cfpc: Local | null = null;
  return (message) => {
    if (message.kind === 'start')
      startLocal(message.wasm).then(
        (it) => {
          cfpc = it;
          post({ kind: 'ready', version: it.version }, []);
        },
        (thrown) => post({ kind: 'dead', message: sentenceOf(thrown) }, []),
      );
    else if (cfpc) answer(cfpc, post, message);
  };
}

const isBrowser = typeof importScripts === 'function';

if (isBrowser) {
  const page = self as unknown as DedicatedWorkerGlobalScope;
  const hear = serve((message, transfer) => page.postMessage(message, transfer));
  page.onmessage = (event: MessageEvent<ToWorker>) => hear(event.data);
} else {
  const threads = 'node:worker_threads';
  void (import(threads) as Promise<typeof import('node:worker_threads')>).then(({ parentPort }) => {
    const hear = serve((message, transfer) => parentPort!.postMessage(message, transfer));
    parentPort!.on('message', hear);
  });
}
