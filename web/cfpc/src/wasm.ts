// SPDX-License-Identifier: Apache-2.0
// wasm: finds and compiles the WebAssembly, in a browser and under Node.
import { CfpcError, sentenceOf } from './error';

export const isNode = typeof process === 'object' && Boolean(process.versions?.node);

/** What stands for a file of Node, so that bundlers for browsers do not look for it. */
export function nodeModule<T>(name: string): Promise<T> {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name) as Promise<T>;
}

async function readFile(url: URL): Promise<BufferSource> {
  const { readFile } = await nodeModule<typeof import('node:fs/promises')>('node:fs/promises');
  return new Uint8Array(await readFile(url));
}

async function fetched(url: URL): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the server returned ${response.status}`);
  const isWasm = response.headers.get('Content-Type')?.startsWith('application/wasm');
  if (isWasm && WebAssembly.compileStreaming) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function compiled(wasm: URL | string | BufferSource): Promise<WebAssembly.Module> {
  if (typeof wasm !== 'string' && !(wasm instanceof URL)) return WebAssembly.compile(wasm);
  const url = new URL(wasm, isNode ? import.meta.url : document_());
  return isNode && url.protocol === 'file:' ? WebAssembly.compile(await readFile(url)) : fetched(url);
}

function document_(): string {
  return typeof location === 'object' ? location.href : import.meta.url;
}

/** Compiles it; default: the file beside this one. */
export async function compile(wasm?: URL | string | BufferSource | WebAssembly.Module): Promise<WebAssembly.Module> {
  if (typeof WebAssembly !== 'object')
    throw new CfpcError({ outcome: 'failed', message: 'cfpc needs WebAssembly, which this browser does not have' });
  if (wasm instanceof WebAssembly.Module) return wasm;
  try {
    return await compiled(wasm ?? new URL('./cfpc-native.wasm', import.meta.url));
  } catch (thrown) {
    throw new CfpcError({ outcome: 'failed', message: `cfpc-native.wasm could not be loaded: ${sentenceOf(thrown)}` });
  }
}
