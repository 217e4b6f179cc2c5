// SPDX-License-Identifier: Apache-2.0
// protocol: what a page and its worker send each other.
import type { Cfpc, Why } from './types';

/** Every call of cfpc. */
export type Method = Exclude<keyof Cfpc, 'version'>;

export type ToWorker =
  | { kind: 'start'; wasm: WebAssembly.Module }
  | { kind: 'call'; id: number; method: Method; args: unknown[]; ticks: boolean };

export type FromWorker =
  | { kind: 'ready'; version: string }
  | { kind: 'dead'; message: string } // it could not be started
  | { kind: 'tick'; id: number; what: string; done: number; total: number }
  | { kind: 'done'; id: number; value: unknown }
  | { kind: 'why'; id: number; why: Why };
