// SPDX-License-Identifier: Apache-2.0
// result: what a result of the lab holds, as plain data.
import { type Memory, numbersAt, textAt } from './memory';
import type { Native, Pointer } from './native';
import type { Claim, Dataset, Measure, Phase, Result, RuleResult } from './types';
import { lastWhy } from './why';

type Parts = Pick<Result, 'datasets' | 'measures' | 'claims' | 'rules' | 'phases'>;

function shapeOf(rank: number, rows: number, columns: number): number[] {
  return [rows, columns].slice(0, rank);
}

/** Sets what C tells, and lets it tell. */
function partsOf(native: Native, result: Pointer): Parts {
  const datasets: Record<string, Dataset> = {};
  const measures: Measure[] = [];
  const claims: Claim[] = [];
  const rules: RuleResult[] = [];
  const phases: Phase[] = [];
  const text = (pointer: Pointer): string => textAt(native, pointer);
  Object.assign(native.tell, {
    array(name: Pointer, unit: Pointer, values: Pointer, rank: number, rows: number, columns: number) {
      const shape = shapeOf(rank, rows, columns);
      const count = shape.reduce((product, size) => product * size, 1);
      datasets[text(name)] = { unit: text(unit), shape, values: numbersAt(native, values, count) };
    },
    measure(name: Pointer, unit: Pointer, value: number) {
      measures.push({ name: text(name), unit: text(unit), value });
    },
    claim(
      name: Pointer,
      says: Pointer,
      measure: Pointer,
      low: number,
      high: number,
      measured: number,
      applies: number,
      holds: number,
    ) {
      claims.push({
        name: text(name),
        says: text(says),
        measure: text(measure),
        low,
        high,
        measured,
        applies: applies !== 0,
        holds: holds !== 0,
      });
    },
    rule(
      name: Pointer,
      rate: number,
      divergedAt: number,
      noOptimum: Pointer,
      taughtBy: Pointer,
      weights: Pointer,
      count: number,
    ) {
      rules.push({
        name: text(name),
        rate,
        divergedAt,
        noOptimum: text(noOptimum),
        taughtBy: text(taughtBy),
        weights: numbersAt(native, weights, count),
      });
    },
    phase(name: Pointer, first: number, last: number) {
      phases.push({ name: text(name), first, last });
    },
  });
  native._web_result_tell(result);
  return { datasets, measures, claims, rules, phases };
}

export function gather(memory: Memory, result: Pointer): Omit<Result, 'seconds'> {
  const { native } = memory;
  const attribute = (name: string): string =>
    textAt(native, native._cfpc_result_attribute(result, memory.text(name).at));
  const ok = native._web_result_check(result) === 0;
  return {
    name: attribute('name'),
    title: attribute('title'),
    version: attribute('version'),
    spec: attribute('spec'),
    settings: attribute('settings'),
    rule: attribute('rule'),
    repeats: native._cfpc_result_repeats(result),
    hash: textAt(native, native._cfpc_result_hash(result)),
    ...partsOf(native, result),
    ok,
    says: ok ? '' : lastWhy(native).message,
  };
}
