// SPDX-License-Identifier: Apache-2.0
// experiments: those of `cfpc list`, from experiments.json of the package.

export interface Experiment {
  name: string;
  title: string;
  text: string;
  /** Of the published result; a spec that came in a link has none. */
  hash?: string;
}

export async function experiments(): Promise<Experiment[]> {
  const answer = await fetch(new URL('experiments.json', document.baseURI));
  if (!answer.ok)
    throw new Error(`The list of experiments could not be loaded (${answer.status}): load the page again.`);
  return (await answer.json()) as Experiment[];
}

/** The name at the top of a spec; '': it has none that can be read. */
export function nameIn(text: string): string {
  return /^name:\s*["']?([\w.+-]+)/m.exec(text)?.[1] ?? '';
}
