// SPDX-License-Identifier: Apache-2.0
// server: serves a folder on this machine, as any static host would; for tests and the benchmark.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** The file of a URL's path below the folder; a path that leads out of it is taken as one below it. */
function fileOf(folder, url) {
  const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname));
  return join(folder, path.endsWith('/') ? `${path}index.html` : path);
}

/**
 * Serves `folder` on a free port. `served` lists each path that was asked for, with its status and bytes.
 * @returns {Promise<{origin: string, served: {path: string, status: number, bytes: number}[], close(): Promise<void>}>}
 */
export async function serve(folder) {
  const served = [];
  const server = createServer(async (request, response) => {
    const file = fileOf(folder, request.url);
    let status = 200;
    let body;
    try {
      body = await readFile(file);
    } catch {
      status = 404;
      body = Buffer.from('there is no such file\n');
    }
    served.push({ path: new URL(request.url, 'http://localhost').pathname, status, bytes: body.length });
    response.writeHead(status, {
      'Content-Type': status === 200 ? (TYPES[extname(file)] ?? 'application/octet-stream') : 'text/plain',
      'Content-Length': body.length,
      'Cache-Control': 'no-cache',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    served,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
