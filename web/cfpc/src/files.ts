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

/** Without '.', '..' and empty parts: what is compared with HOME, and with folders that are not to be written, is this. */
function plain(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  return `/${parts.join('/')}`;
}

/** Where the lab looks for a file that a spec names, and where for one that a setting names. */
function pathsOf(spec: string, name: string): Set<string> {
  const within = (folder: string, path: string): string => plain(path.startsWith('/') ? path : `${folder}/${path}`);
  const folder = folderOf(spec);
  return new Set([within(folder ? within(HOME, folder) : HOME, name), within(HOME, name)]);
}

/** Removes files, and folders that are empty then. */
function removeAll(fs: FileSystem, paths: string[]): void {
  for (const path of paths)
    try {
      fs.unlink(path);
      for (let folder = folderOf(path); folder !== HOME && folder; folder = folderOf(folder)) fs.rmdir(folder);
    } catch {
      // a folder that holds something else, or a file with two names that is gone
    }
}

/** Calls with these files beside the spec. */
export function withFiles<T>(fs: FileSystem, spec: string, files: Record<string, string>, call: () => T): T {
  const written: string[] = [];
  try {
    for (const [name, text] of Object.entries(files))
      for (const path of pathsOf(spec, name)) {
        write(fs, name, path, text);
        written.push(path);
      }
    return call();
  } finally {
    removeAll(fs, written);
  }
}

function write(fs: FileSystem, name: string, path: string, text: string): void {
  if (/^\/(dev|proc)(\/|$)/.test(path) || path.includes('\0'))
    refuse(`spec.files: '${name}' cannot be the name of a file`);
  try {
    fs.mkdirTree(folderOf(path));
    fs.writeFile(path, text);
  } catch (thrown) {
    refuse(`spec.files: '${name}' cannot be the name of a file (${sentenceOf(thrown)})`);
  }
}
