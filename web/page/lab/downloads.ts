// SPDX-License-Identifier: Apache-2.0
// downloads: what a person takes home: measures and curves as CSV, the spec as it was run as YAML.
// Numbers keep all their digits, so that a file says what the run said.
import type { Result } from '../../cfpc/src/types';
import { digits17 } from '../parts/csv';
import { download } from '../parts/download';

// A field with a comma, a quote or a line break is quoted.
function field(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function measuresCsv(result: Result): string {
  const rows = result.measures.map((one) => `${field(one.name)},${digits17(one.value)},${field(one.unit)}`);
  return `${['measure,value,unit', ...rows].join('\n')}\n`;
}

/** One row per trial, one column per rule. */
export function curvesCsv(result: Result): string {
  const names = Object.keys(result.datasets).filter((name) => name.startsWith('curves/') && name !== 'curves/trial');
  const trial = result.datasets['curves/trial']?.values ?? new Float64Array(0);
  const rows = Array.from(trial, (at, k) =>
    [digits17(at), ...names.map((name) => digits17(result.datasets[name]?.values[k] ?? NaN))].join(','),
  );
  return `${[['trial', ...names.map((name) => field(name.slice('curves/'.length)))].join(','), ...rows].join('\n')}\n`;
}

export function downloadMeasures(result: Result): void {
  download(`${result.name}-measures.csv`, measuresCsv(result), 'text/csv');
}

export function downloadCurves(result: Result): void {
  download(`${result.name}-curves.csv`, curvesCsv(result), 'text/csv');
}

export function downloadSpec(name: string, text: string): void {
  download(`${name}.yaml`, text, 'application/yaml');
}
