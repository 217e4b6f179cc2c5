// SPDX-License-Identifier: Apache-2.0
// legend: what a figure's legend lists. Many curves that look alike share one entry.
import type { Figure, Role } from './figure';

export interface Entry {
  name: string;
  role: Role;
  points: boolean;
  /** The series that it stands for. */
  series: number[];
}

export function entries(figure: Figure): Entry[] {
  const listed: Entry[] = [];
  figure.series.forEach((series, at) => {
    const same = series.role === 'faint' ? listed.find((entry) => entry.role === 'faint') : undefined;
    if (same) same.series.push(at);
    else listed.push({ name: series.name, role: series.role, points: series.points ?? false, series: [at] });
  });
  for (const entry of listed) {
    const last = figure.series[entry.series[entry.series.length - 1] as number];
    if (last && last.name !== entry.name) entry.name = `${entry.name} … ${last.name}`;
  }
  return listed;
}
