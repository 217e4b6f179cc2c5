// SPDX-License-Identifier: Apache-2.0
// signals: what the loop does within a trial: in the first and the last one, and at the end of each
// phase.
import type { Result } from '../../../cfpc/src/types';
import type { Figure, Series } from '../../parts/figure';
import { largest, number, roleOf, ruleOf, someFinite, trials, under, values } from './data';

const TIME = 'time in the trial (s)';

function rms(list: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < list.length; i++) sum += (list[i] ?? NaN) ** 2;
  return Math.sqrt(sum / list.length);
}

function series(result: Result, name: string, dataset: string, role: Series['role']): Series[] {
  const found = values(result, `signals/${dataset}`);
  return found && someFinite(found) ? [{ name, role, values: found }] : [];
}

/** '' or what became of the rule whose signals are shown. */
function gone(result: Result): string {
  const at = ruleOf(result, result.rule)?.divergedAt ?? 0;
  return at > 0 ? ` Rule ${result.rule} diverged in trial ${at}: its last trial has no signals.` : '';
}

function same(a: ArrayLike<number> | undefined, b: ArrayLike<number> | undefined): boolean {
  return !!a && !!b && a.length === b.length && Array.prototype.every.call(a, (value, i) => Object.is(value, b[i]));
}

/** r, y in the first and the last trial; the measured output where it is another. */
export function behaviour(result: Result): Figure[] {
  const xs = values(result, 'signals/time_s');
  const y = values(result, 'signals/y_last');
  if (!xs || !y) return [];
  const count = trials(result).length;
  const measured = same(y, values(result, 'signals/m_last'))
    ? []
    : series(result, `measured, trial ${count}`, 'm_last', 'faint');
  return [
    {
      id: 'behaviour',
      title: 'Output before and after learning',
      x: { label: TIME },
      y: { label: 'output (task units)' },
      xs,
      series: [
        ...measured,
        ...series(result, 'r, the reference', 'r', 'target'),
        ...series(result, 'y, trial 1', 'y_first', 'reactive'),
        ...series(result, `y, trial ${count}`, 'y_last', 'learned'),
      ],
      says: `Output of the loop with rule ${result.rule}, in trial 1 and in trial ${count}.${gone(result)}`,
    },
  ];
}

/** The error in the first and the last trial, and o. */
export function errors(result: Result): Figure[] {
  const xs = values(result, 'signals/time_s');
  const first = values(result, 'signals/e_first');
  const last = values(result, 'signals/e_last');
  if (!xs || !first || !last) return [];
  const count = trials(result).length;
  const o = values(result, 'signals/o_last') ?? [];
  return [
    {
      id: 'errors',
      title: 'The error, and what the cell adds',
      x: { label: TIME },
      y: { label: 'error, o (task units)' },
      xs,
      series: [
        ...series(result, 'e, trial 1', 'e_first', 'reactive'),
        ...series(result, `e, trial ${count}`, 'e_last', 'error'),
        ...series(result, `o, trial ${count}`, 'o_last', 'o'),
      ],
      says: someFinite(last)
        ? `The rms error is ${number(rms(first))} in trial 1 and ${number(rms(last))} in trial ${count}; o, the ` +
          `counterfactual error, reaches ${number(largest(o))}.`
        : `The rms error is ${number(rms(first))} in trial 1.${gone(result)}`,
    },
  ];
}

/** The command, of the last trial. */
export function command(result: Result): Figure[] {
  const xs = values(result, 'signals/time_s');
  const u = series(result, 'u, the command', 'u_last', 'learned');
  if (!xs || u.length === 0) return [];
  return [
    {
      id: 'command',
      title: 'The command to the plant',
      x: { label: TIME },
      y: { label: 'u (command units)' },
      xs,
      series: u,
      says: `The command of the last trial reaches ${number(largest(u[0]?.values ?? []))}.${gone(result)}`,
    },
  ];
}

// ---- phases --------------------------------------------------------------------------------------

const SHOWN_RULES = 7;

function phaseSignal(result: Result, phase: string, rule: string, signal: string): Float64Array | undefined {
  const found = values(result, `phases/${phase}/${rule}/${signal}`);
  return found && someFinite(found) ? found : undefined;
}

// Rules with another reference have another task: they do not belong beside this one.
function rulesBeside(result: Result, phase: string): string[] {
  const r = phaseSignal(result, phase, result.rule, 'r');
  const names = result.rules.map((rule) => rule.name).filter((name) => name !== result.rule);
  return names.filter((name) => same(r, phaseSignal(result, phase, name, 'r'))).slice(0, SHOWN_RULES - 1);
}

function ofRules(result: Result, phase: string, signal: string): Series[] {
  return [result.rule, ...rulesBeside(result, phase)].flatMap((rule): Series[] => {
    const found = phaseSignal(result, phase, rule, signal);
    return found ? [{ name: `${signal}, ${rule}`, role: roleOf(result, rule), values: found }] : [];
  });
}

function phaseFigures(result: Result, phase: string, last: number, xs: ArrayLike<number>): Figure[] {
  const r = phaseSignal(result, phase, result.rule, 'r');
  const y = ofRules(result, phase, 'y');
  const o = ofRules(result, phase, 'o');
  const target: Series[] = r ? [{ name: 'r, the reference', role: 'target', values: r }] : [];
  const what = `the last trial (${last}) of phase ${phase}`;
  const figures: Figure[] = [];
  if (y.length > 0)
    figures.push({
      id: `phase-${phase}`,
      title: `Phase ${phase}: the output`,
      x: { label: TIME },
      y: { label: 'output (task units)' },
      xs,
      series: [...target, ...y],
      says: `The output in ${what}; that of rule ${result.rule} reaches ${number(largest(y[0]?.values ?? []))}.`,
    });
  if (o.some((one) => largest(one.values) > 0))
    figures.push({
      id: `phase-${phase}-o`,
      title: `Phase ${phase}: what the cell adds`,
      x: { label: TIME },
      y: { label: 'o' },
      xs,
      series: o,
      says: `o in ${what}; that of rule ${result.rule} reaches ${number(largest(o[0]?.values ?? []))}.`,
    });
  return figures;
}

/** The last trial of each phase. */
export function phases(result: Result): Figure[] {
  const xs = values(result, 'signals/time_s');
  if (!xs || under(result, 'phases/').length === 0) return [];
  return result.phases.flatMap((phase) => phaseFigures(result, phase.name, phase.last, xs));
}
