// SPDX-License-Identifier: Apache-2.0
// offline: the service worker: keeps every file of one build, so that the pages work without a network.
// Pages of one build never get files of another: a new build is kept beside the old one, and takes over when
// the last page of the old one is closed or loaded again.
declare const VERSION: string; // of the build: a hash of all its files
declare const FILES: string[]; // relative to the folder of this file

export {};

const self_ = self as unknown as ServiceWorkerGlobalScope;
const PREFIX = `cfpc ${new URL('./', self_.location.href).pathname} `;
const CACHE = PREFIX + VERSION;

async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  // no-cache: asks the server whether a file that the browser already has is still the right one.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
  await self_.clients.claim();
}

/** A page is being loaded, no other is open, and a new build waits: it takes over, and the page is asked for again. */
async function handOver(request: Request): Promise<Response | undefined> {
  const waiting = self_.registration.waiting;
  if (request.mode !== 'navigate' || request.method !== 'GET' || !waiting) return undefined;
  if ((await self_.clients.matchAll()).length > 1) return undefined;
  waiting.postMessage('take over');
  // An icon of its own, or the browser would ask the server for one.
  const empty = '<!doctype html><title>cfpc</title><link rel="icon" href="data:,">';
  return new Response(empty, { headers: { 'Content-Type': 'text/html', Refresh: '0' } });
}

async function respond(request: Request): Promise<Response> {
  const now = await handOver(request);
  if (now) return now;
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

self_.addEventListener('install', (event) => event.waitUntil(keep()));
self_.addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
self_.addEventListener('message', (event) => {
  if (event.data === 'take over') void self_.skipWaiting();
});
self_.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && request.url.startsWith(self_.registration.scope)) event.respondWith(respond(request));
});
