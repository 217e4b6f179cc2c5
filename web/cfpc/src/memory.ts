// SPDX-License-Identifier: Apache-2.0
// memory: what a call takes of the module's memory, and gives back when it ends, however it ends.
import { CfpcError } from './error';
import type { Native, Pointer } from './native';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const MOST_BYTES = 2 ** 30; // of the module's memory (web/native/CMakeLists.txt)

/** The text at a pointer; '' for NULL. */
export function textAt(native: Native, pointer: Pointer): string {
  if (!pointer) return '';
  const bytes = native.HEAPU8;
  return decoder.decode(bytes.subarray(pointer, bytes.indexOf(0, pointer)));
}

/** A copy of the numbers at a pointer. */
export function numbersAt(native: Native, pointer: Pointer, count: number): Float64Array {
  return native.HEAPF64.slice(pointer / 8, pointer / 8 + count);
}

export class Memory {
  private readonly releases: (() => void)[] = [];

  constructor(readonly native: Native) {}

  /** Remembers how to free an object. NULL: there is no memory. */
  own(pointer: Pointer, free: (pointer: Pointer) => void): Pointer {
    if (!pointer) throw new CfpcError({ outcome: 'failed', message: 'memory ran out' });
    this.releases.push(() => free(pointer));
    return pointer;
  }

  bytes(count: number): Pointer {
    if (count > MOST_BYTES) return this.own(0, this.native._free); // more than an address can count
    return this.own(this.native._malloc(Math.max(count, 1)), this.native._free);
  }

  /** Room for numbers. */
  room(count: number): Pointer {
    return this.bytes(8 * count);
  }

  numbers(values: ArrayLike<number>): Pointer {
    const at = this.room(values.length);
    this.native.HEAPF64.set(values, at / 8);
    return at;
  }

  integers(values: ArrayLike<number>): Pointer {
    const at = this.bytes(4 * values.length);
    this.native.HEAP32.set(values, at / 4);
    return at;
  }

  /** A text and its length in bytes, without the NUL at its end. */
  text(text: string): { at: Pointer; length: number } {
    const bytes = encoder.encode(text);
    const at = this.bytes(bytes.length + 1);
    this.native.HEAPU8.set(bytes, at);
    this.native.HEAPU8[at + bytes.length] = 0;
    return { at, length: bytes.length };
  }

  free(): void {
    for (let release = this.releases.pop(); release; release = this.releases.pop()) release();
  }
}

/** Calls with memory that is freed when the call ends. */
export function withMemory<T>(native: Native, call: (memory: Memory) => T): T {
  const memory = new Memory(native);
  let trapped = false; // then nothing in the module can be used, or freed, any more
  try {
    return call(memory);
  } catch (thrown) {
    trapped = thrown instanceof WebAssembly.RuntimeError;
    throw thrown;
  } finally {
    if (!trapped) memory.free();
  }
}
