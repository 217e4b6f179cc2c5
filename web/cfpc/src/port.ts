// SPDX-License-Identifier: Apache-2.0
// port: a worker of a browser or of Node, by the same few calls.
import type { FromWorker, ToWorker } from './protocol';
import { isNode, nodeModule } from './wasm';

export interface Port {
  post(message: ToWorker): void;
  end(): void;
}

export interface Listener {
  hear(message: FromWorker): void;
  /** The worker died by itself, once. */
  died(message: string): void;
}

export type OpenPort = (listener: Listener) => Port;

function open(url: URL, listener: Listener): Port {
  const worker = new Worker(url);
  worker.onmessage = (event: MessageEvent<FromWorker>) => listener.hear(event.data);
  worker.onerror = (event) => {
    event.preventDefault?.();
    listener.died(event.message || 'its script could not be run');
  };
  worker.onmessageerror = () => listener.died('its answer could not be read');
  return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
}

function openInNode(threads: typeof import('node:worker_threads'), url: URL, listener: Listener): Port {
  const worker = new threads.Worker(url);
  let ended = false;
  const died = (message: string): void => {
    if (ended) return;
    ended = true;
    listener.died(message);
  };
  worker.on('message', (message: FromWorker) => listener.hear(message));
  worker.on('error', (error) => died(error.message));
  worker.on('exit', (code) => died(`it ended with ${code}`));
  return {
    post: (message) => worker.postMessage(message),
    end: () => {
      ended = true;
      void worker.terminate();
    },
  };
}

/** What starts workers from a file; default: that beside this one. */
export async function ports(worker?: URL | string): Promise<OpenPort> {
  const url = worker === undefined ? new URL('./worker.js', import.meta.url) : new URL(worker, import.meta.url);
  if (!isNode) return (listener) => open(url, listener);
  const threads = await nodeModule<typeof import('node:worker_threads')>('node:worker_threads');
  return (listener) => openInNode(threads, url, listener);
}
