// SPDX-License-Identifier: Apache-2.0
// link: a spec inside an address, after the #, which browsers do not send to a server.
//   #z:…   JSON, deflated (raw), base64url
//   #p:…   JSON, base64url, where the browser cannot deflate
import type { Spec } from '../../cfpc/src/types';

/** A link that unpacks to more is refused: no spec is that long, and a bad one would fill the memory. */
const MAX_BYTES = 4_000_000;

function toBase64url(data: Uint8Array): string {
  let text = '';
  for (const byte of data) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  const data = new Uint8Array(plain.length);
  for (let i = 0; i < plain.length; i++) data[i] = plain.charCodeAt(i);
  return data;
}

async function all(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    length += next.value.length;
    if (length > MAX_BYTES) {
      await reader.cancel();
      throw new RangeError('too long');
    }
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function canDeflate(): boolean {
  try {
    return typeof CompressionStream === 'function' && new CompressionStream('deflate-raw') !== undefined;
  } catch {
    return false; // the first browsers with CompressionStream lack deflate-raw
  }
}

const through = (data: Uint8Array<ArrayBuffer>, change: CompressionStream | DecompressionStream) =>
  all(new Blob([data]).stream().pipeThrough(change));

/** The hash by itself, with its #. */
export async function hashOf(spec: Spec): Promise<string> {
  const { text, file, files } = spec;
  const json = new TextEncoder().encode(JSON.stringify({ text, file, files }));
  if (!canDeflate()) return `#p:${toBase64url(json)}`;
  return `#z:${toBase64url(await through(json, new CompressionStream('deflate-raw')))}`;
}

/** An address of the lab that holds the spec. */
export async function linkOf(spec: Spec): Promise<string> {
  return new URL(`lab.html${await hashOf(spec)}`, document.baseURI).href;
}

function isSpec(value: unknown): value is Spec {
  if (typeof value !== 'object' || value === null) return false;
  const { text, file, files } = value as Record<string, unknown>;
  const isText = (v: unknown) => typeof v === 'string';
  const named =
    files === undefined || (typeof files === 'object' && files !== null && Object.values(files).every(isText));
  return isText(text) && (file === undefined || isText(file)) && named;
}

/** null: the hash holds no spec. An Error with one sentence: it does, but it is damaged. */
export async function specOf(hash: string): Promise<Spec | null> {
  const kind = /^#?([zp]):(.*)$/s.exec(hash);
  if (!kind) return null;
  const damaged = new Error('The spec in this link is damaged: ask for the link again, and copy all of it.');
  try {
    const packed = fromBase64url(kind[2] as string);
    const json = kind[1] === 'z' ? await through(packed, new DecompressionStream('deflate-raw')) : packed;
    const spec: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
    if (isSpec(spec)) return spec;
  } catch (why) {
    if (typeof DecompressionStream !== 'function' && kind[1] === 'z') {
      throw new Error('This browser cannot unpack the spec in this link: use a newer one.');
    }
    if (why instanceof RangeError) throw new Error('The spec in this link is too long: 4 MB is the maximum.');
  }
  throw damaged;
}
