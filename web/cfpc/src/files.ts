// SPDX-License-Identifier: Apache-2.0
// files: the files that a spec names, in the module's file system while a call runs.
import { refuse, sentenceOf } from './error';
import type { FileSystem } from './native';

const HOME = '/spec'; // the folder of a spec whose name has none

export function enterHome(fs: FileSystem): void {
  fs.mkdirTree(HOME);
  fs.chdir(HOME);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** Where the lab looks for a file that a spec names. */
function pathBeside(spec: string, name: string): string {
  if (name.startsWith('/')) return name;
  const folder = folderOf(spec);
  return folder.startsWith('/') ? `${folder}/${name}` : `${HOME}/${folder ? `${folder}/` : ''}${name}`;
}

function removeAll(fs: FileSystem, paths: string[]): void {
  for (const path of paths) {
    fs.unlink(path);
    try {
      for (let folder = folderOf(path); folder !== HOME && folder; folder = folderOf(folder)) fs.rmdir(folder);
    } catch {
      // it holds something else
    }
  }
}

/** Calls with these files beside the spec. */
export function withFiles<T>(fs: FileSystem, spec: string, files: Record<string, string>, call: () => T): T {
  const written: string[] = [];
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = pathBeside(spec, name);
      write(fs, name, path, text);
      written.push(path);
    }
    return call();
  } finally {
    removeAll(fs, written);
  }
}

function write(fs: FileSystem, name: string, path: string, text: string): void {
  if (/^\/(dev|proc)(\/|$)/.test(path) || path.includes('\0')) refuse(`spec.files: '${name}' cannot be the name of a file`);
  try {
    fs.mkdirTree(folderOf(path));
    fs.writeFile(path, text);
  } catch (thrown) {
    refuse(`spec.files: '${name}' cannot be the name of a file (${sentenceOf(thrown)})`);
  }
}
