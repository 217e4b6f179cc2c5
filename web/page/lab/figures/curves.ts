// SPDX-License-Identifier: Apache-2.0
// curves: one value per trial of every rule: the error, and what else a spec asks for.
import type { Result, RuleResult } from '../../../cfpc/src/types';
import type { Figure, Mark, Series } from '../../parts/figure';
import {
  divergedSentence,
  lastOf,
  largest,
  listed,
  named,
  number,
  roleOf,
  ruleOf,
  someFinite,
  trials,
  under,
  values,
} from './data';

/** Above this many times the reactive error a curve leaves the figure, so that the others are seen. */
const HIGHEST_SHOWN = 1000;
const LOWEST_SHOWN = 1e-6;

// A logarithmic axis has no place for 0.
function positive(list: ArrayLike<number>): Float64Array {
  return Float64Array.from(list, (value) => (value > 0 ? value : NaN));
}

/** Of all trials: a phase that is shorter has no room for its name. */
const ROOM_FOR_A_NAME = 0.15;

/** A line at the start of each phase, with its name where there is room. */
export function phaseMarks(result: Result): Mark[] {
  const room = ROOM_FOR_A_NAME * trials(result).length;
  return result.phases
    .filter((phase) => phase.first > 1)
    .map((phase) => ({ x: phase.first - 0.5, says: phase.last - phase.first >= room ? phase.name : '' }));
}

/** '' or which trials the phases are. */
export function phaseSentence(result: Result): string {
  const each = result.phases.map((phase) => `${phase.name} ${phase.first} to ${phase.last}`);
  return each.length > 1 ? `Trials of the phases: ${each.join(', ')}.` : '';
}

function divergedMarks(rules: RuleResult[]): Mark[] {
  return rules
    .filter((rule) => rule.divergedAt > 0)
    .map((rule) => ({ x: rule.divergedAt, says: `${rule.name} diverged` }));
}

// The optimum is one line only where every rule has it in common.
function optimum(result: Result): Series[] {
  const own = ruleOf(result, result.rule);
  const curve = values(result, 'curves/optimum');
  if (!curve || !someFinite(curve) || (own && own.noOptimum !== '')) return [];
  return [{ name: 'optimum', role: 'optimum', values: positive(curve) }];
}

function curveOf(result: Result, rule: RuleResult): Series {
  const curve = values(result, `curves/${rule.name}`) ?? new Float64Array(0);
  return { name: named(rule), role: roleOf(result, rule.name), values: positive(curve) };
}

function ends(result: Result, rules: RuleResult[]): string {
  return rules
    .slice(0, 6)
    .map((rule) => `${rule.name} ${number(lastOf(values(result, `curves/${rule.name}`) ?? []))}`)
    .join(', ');
}

// A rule that only gets worse has not diverged: that is said too.
function worse(result: Result, rules: RuleResult[]): string {
  const names = rules
    .filter((rule) => lastOf(values(result, `curves/${rule.name}`) ?? []) > 1)
    .map((rule) => rule.name);
  return names.length > 0 ? `Worse than the loop alone: ${listed(names)}.` : '';
}

function saysCurves(result: Result, rules: RuleResult[], clipped: boolean): string {
  const count = trials(result).length;
  const best = values(result, 'curves/optimum');
  const least =
    best && someFinite(best) && optimum(result).length > 0 ? `; the optimum is ${number(lastOf(best))}` : '';
  const why = ruleOf(result, result.rule)?.noOptimum;
  return [
    `Error relative to that of the loop alone (rRMSE), after ${count} trials: ${ends(result, rules)}${least}.`,
    worse(result, rules),
    why ? `No optimum is drawn: ${why}.` : '',
    clipped ? `What exceeds ${number(HIGHEST_SHOWN)} is not shown.` : '',
    phaseSentence(result),
    divergedSentence(result),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** The learning curves of these rules; default: all. */
export function curves(result: Result, only?: string[]): Figure[] {
  const rules = result.rules.filter((rule) => !only || only.includes(rule.name));
  const series = [...rules.map((rule) => curveOf(result, rule)), ...optimum(result)];
  if (!series.some((one) => someFinite(one.values))) return [];
  const most = Math.max(1, ...series.map((one) => largest(one.values)));
  const clipped = most > HIGHEST_SHOWN;
  const least = Math.min(...series.map((one) => smallest(one.values)));
  return [
    {
      id: 'curves',
      title: 'Learning curves',
      x: { label: 'trial' },
      y: {
        label: 'rRMSE',
        log: true,
        ...(clipped ? { max: HIGHEST_SHOWN } : {}),
        ...(least < LOWEST_SHOWN ? { min: LOWEST_SHOWN } : {}),
      },
      xs: trials(result),
      series,
      marks: [{ y: 1, says: 'loop alone' }, ...phaseMarks(result), ...divergedMarks(rules)],
      says: saysCurves(result, rules, clipped),
    },
  ];
}

function smallest(list: ArrayLike<number>): number {
  let least = Infinity;
  for (let i = 0; i < list.length; i++) if ((list[i] ?? NaN) < least) least = list[i] as number;
  return least;
}

// ---- what else is measured in each trial ---------------------------------------------------------

interface PerTrial {
  folder: string;
  title: string;
  label: string;
}

const PER_TRIAL: PerTrial[] = [
  { folder: 'gain', title: 'Gain of the output', label: 'gain' },
  { folder: 'windows', title: 'Worst window of the trial', label: 'worst window' },
  { folder: 'responses/amplitude', title: 'Size of the learned response', label: 'amplitude' },
  { folder: 'responses/onset_ms', title: 'When the learned response begins', label: 'onset (ms)' },
  { folder: 'responses/peak_ms', title: 'When the learned response peaks', label: 'peak (ms)' },
  { folder: 'models/peak_ms', title: 'Peak of the learned forward model', label: 'peak (ms)' },
  { folder: 'models/right_ms', title: 'Peak that the model should have', label: 'peak (ms)' },
  { folder: 'models/off_ms', title: 'How far the learned model is off', label: 'off by (ms)' },
];

// 1.5 times what the middle rule reaches: one that grows without limit does not flatten the others.
function usual(series: Series[]): number | undefined {
  const sizes = series.map((one) => largest(one.values)).sort((a, b) => a - b);
  const middle = sizes[sizes.length >> 1] ?? 0;
  return sizes.length > 2 && middle > 0 && (sizes[sizes.length - 1] ?? 0) > 20 * middle ? 1.5 * middle : undefined;
}

function perTrial(result: Result, kind: PerTrial): Figure[] {
  const series: Series[] = under(result, `${kind.folder}/`)
    .filter(([, dataset]) => someFinite(dataset.values))
    .map(([rule, dataset]) => {
      const of = ruleOf(result, rule);
      return { name: of ? named(of) : rule, role: roleOf(result, rule), values: dataset.values };
    });
  if (series.length === 0) return [];
  const top = usual(series);
  const last = series.slice(0, 6).map((one) => `${one.name} ${number(lastOf(one.values))}`);
  return [
    {
      id: kind.folder.replace('/', '-'),
      title: kind.title,
      x: { label: 'trial' },
      y: { label: kind.label, ...(top ? { max: top, min: -top } : {}) },
      xs: trials(result),
      series,
      marks: phaseMarks(result),
      says: `${kind.title}, at the last trial: ${listed(last)}.${top ? ' A rule that leaves the figure is far larger.' : ''} ${phaseSentence(result)}`.trim(),
    },
  ];
}

/** Gain, worst window, responses and learned models, where the result has them. */
export function perTrials(result: Result): Figure[] {
  return PER_TRIAL.flatMap((kind) => perTrial(result, kind));
}
