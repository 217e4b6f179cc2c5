// SPDX-License-Identifier: Apache-2.0
// certificate: what is predicted before a run, in words (docs/certificate.md has every figure).
import type { Certificate } from '../../cfpc/src/types';
import type { Figure } from '../parts/figure';
import { number, withUnit } from '../parts/number';
import { el, tableOf } from './dom';

interface Learning {
  verdict: string;
  reason: string | null;
  rate: number | null;
  rate_max: number | null;
  rate_max_monotone: number | null;
  transient_growth: number | null;
  transient_peak_trial: number | null;
  asymptote_rrmse: number | null;
  asymptote_low: number | null;
  asymptote_high: number | null;
  optimum_rrmse: number | null;
  trials_to_5pc: number | null;
  curve: (number | null)[] | null;
}

interface Loop {
  stable: boolean;
  gain_margin: number | null;
  phase_margin_deg: number | null;
  delay_margin_ms: number | null;
}

interface Parameter {
  name: string;
  unit: string;
  actual: number;
  low: number | null;
  high: number | null;
  searched_low: number;
  searched_high: number;
}

export interface Explained {
  /** As in the JSON. */
  verdict: string;
  /** One sentence per item, the verdict first. */
  sentences: string[];
}

const VERDICTS: Record<string, string> = {
  monotone: 'Monotone: every trial brings the weights closer to their limit, from any start.',
  eventual: 'Eventual: the weights converge, but may first move far away from their limit.',
  diverges: 'Diverges: at this rate the weights do not converge.',
  'not-decided': 'Not decided: rounding errors leave open whether the weights converge.',
  'not-applicable': 'Not applicable: nothing is certified for this experiment.',
};

const given = (value: number | null | undefined): value is number => typeof value === 'number';

function learningOf(certificate: Certificate): Partial<Learning> {
  return (certificate.learning ?? {}) as Partial<Learning>;
}

function loopSentence(loop: Partial<Loop>): string {
  if (loop.stable === false) return 'The feedback loop alone is unstable.';
  const margins = [
    given(loop.gain_margin) ? `${number(loop.gain_margin)} times the gain` : '',
    given(loop.phase_margin_deg) ? `${number(loop.phase_margin_deg)}° more phase lag` : '',
    given(loop.delay_margin_ms) ? `${withUnit(loop.delay_margin_ms, 'ms')} more delay` : '',
  ].filter((text) => text !== '');
  return `The loop alone is stable${margins.length > 0 ? `; it begins to oscillate at ${margins.join(', or ')}` : ''}.`;
}

function rateSentence(of: Partial<Learning>): string {
  if (!given(of.rate) || !given(of.rate_max)) return '';
  const monotone = given(of.rate_max_monotone)
    ? of.rate_max_monotone > 0
      ? `, monotonically below ${number(of.rate_max_monotone, 4)}`
      : ', monotonically at no rate'
    : '';
  return `The rate is ${number(of.rate, 4)}; learning converges below ${number(of.rate_max, 4)}${monotone}.`;
}

function growthSentence(of: Partial<Learning>): string {
  if (of.verdict !== 'eventual' || !given(of.transient_growth)) return '';
  const at = given(of.transient_peak_trial) ? `, after ${number(of.transient_peak_trial)} trials` : '';
  return `On the way the distance from the limit may grow ${number(of.transient_growth)} times${at}.`;
}

function endSentence(of: Partial<Learning>): string {
  if (of.verdict !== 'monotone' && of.verdict !== 'eventual') return '';
  const best = given(of.optimum_rrmse) ? `; the best possible with these bases is ${number(of.optimum_rrmse, 4)}` : '';
  if (given(of.asymptote_rrmse)) {
    const worse = of.asymptote_rrmse > 1 ? ', which is worse than the loop without the cell' : '';
    return `The error ends at ${number(of.asymptote_rrmse, 4)} of the reactive error${worse}${best}.`;
  }
  if (given(of.asymptote_low) && given(of.asymptote_high))
    return `The error ends between ${number(of.asymptote_low, 4)} and ${number(of.asymptote_high, 4)} of the reactive error${best}.`;
  return '';
}

/** The verdict and its reasons. */
export function explain(certificate: Certificate): Explained {
  const of = learningOf(certificate);
  const verdict = of.verdict ?? 'not-applicable';
  const reason = of.reason ? ` (${of.reason})` : '';
  const later = certificate.tuned_later;
  return {
    verdict,
    sentences: [
      (VERDICTS[verdict] ?? `Verdict: ${verdict}.`).replace(/\.$/, `${reason}.`),
      growthSentence(of),
      endSentence(of),
      given(of.trials_to_5pc) ? `It comes within 5 % of the optimum in trial ${number(of.trials_to_5pc)}.` : '',
      rateSentence(of),
      loopSentence((certificate.loop ?? {}) as Partial<Loop>),
      typeof later === 'string' ? later : '',
    ].filter((sentence) => sentence !== ''),
  };
}

/** The predicted learning curve; none where nothing is certified. */
export function predictedCurve(certificate: Certificate): Figure[] {
  const curve = learningOf(certificate).curve;
  if (!Array.isArray(curve) || curve.length === 0) return [];
  const values = curve.map((value) => (given(value) && value > 0 ? value : NaN));
  const most = Math.max(1, ...values.filter(Number.isFinite));
  return [
    {
      id: 'certificate-curve',
      title: `Predicted learning curve of ${String(certificate.rule ?? 'the rule')}`,
      x: { label: 'trial' },
      y: { label: 'rRMSE', log: true, ...(most > 1000 ? { max: 1000 } : {}) },
      xs: values.map((_, k) => k + 1),
      series: [{ name: 'predicted', role: 'learned', values }],
      marks: [{ y: 1, says: 'loop alone' }],
      says: `Predicted without a run: ${number(values[values.length - 1] ?? NaN, 4)} of the reactive error after ${values.length} trials.`,
    },
  ];
}

function limit(value: number | null, searched: number, side: string): string {
  return given(value) ? number(value, 4) : `none found ${side} ${number(searched, 4)}`;
}

/** How wrong the model may be: one row per parameter. */
export function toleranceRows(certificate: Certificate): string[][] {
  const tolerance = (certificate.tolerance ?? {}) as { parameters?: Parameter[] };
  return (tolerance.parameters ?? []).map((one) => [
    one.name,
    withUnit(one.actual, one.unit, 4),
    limit(one.low, one.searched_low, 'down to'),
    limit(one.high, one.searched_high, 'up to'),
  ]);
}

export function certificateView(certificate: Certificate): HTMLElement {
  const { verdict, sentences } = explain(certificate);
  const rows = toleranceRows(certificate);
  const [first = '', ...rest] = sentences;
  return el(
    'div',
    {},
    el('p', { id: 'lab-verdict', class: `verdict-line ${verdict}`, 'data-verdict': verdict }, el('strong', {}, first)),
    el('ul', {}, ...rest.map((sentence) => el('li', {}, sentence))),
    ...(rows.length > 0
      ? [
          tableOf(
            'How far the loop may differ from the model before the verdict changes',
            ['of the loop', 'now', 'lowest', 'highest'],
            rows,
          ),
        ]
      : []),
  );
}
