// SPDX-License-Identifier: Apache-2.0
// lab: the parts of the lab page, joined. The ids of lab.html, which tests may rely on:
//
//   lab-experiment  the list          lab-about       title, size         lab-rule        the main rule
//   lab-run         Run               lab-stop        Stop                lab-progress, lab-state
//   lab-sliders     the sliders       lab-key-filter, lab-key, lab-key-add: a slider for any number
//                   (slider-PATH: the input of one; [data-path] its box)
//   lab-editor      the spec          lab-gutter, lab-underline: lines, and the place of what is wrong
//   lab-message     what is wrong     lab-jump        goes there (F8)     lab-reset       Discard edits
//   lab-link        Copy link         lab-link-text   the link            lab-spec        spec as a file
//   lab-summary     holds lab-outcome, lab-hash and lab-notes             lab-stale       edited since
//   lab-keep, lab-forget, lab-kept    a run to compare with               lab-differences what differs
//   lab-certify, lab-certificate, lab-verdict ([data-verdict])
//   lab-figures     each in figure-ID ([data-figure])                     lab-claims      the table
//   lab-measure-filter, lab-measures  lab-measures-csv, lab-curves-csv, lab-run-spec: files
import type { Checked, Options, Result, Spec, Why } from '../../cfpc/src/types';
import { linkOf } from '../parts/link';
import { say } from '../parts/say';
import { checking } from './checking';
import { chooser } from './chooser';
import { byId, el } from './dom';
import { downloadCurves, downloadMeasures, downloadSpec } from './downloads';
import { editor } from './editor';
import { nameIn } from './experiments';
import { results, timeOf } from './results';
import { type Run, runner, whyOf } from './runner';
import { sizeOf } from './size';
import { sliders } from './sliders';

/** A run that took less is repeated while a slider moves, and one that took less than this when it is let go. */
const SHORT_S = 0.5;
const RELEASE_S = 5;
/** What is predicted to take less runs as soon as it is chosen. */
const AT_ONCE_S = 2;
/** Longer links are cut by some programs. */
const LONG_LINK = 8000;
const CANNOT_RUN = 'This spec cannot be run; what is wrong is shown above its text.';

export function lab(): void {
  const shown = results();
  const rule = byId<HTMLSelectElement>('lab-rule');
  const [run, stop, certify] = ['run', 'stop', 'certify'].map((id) => byId<HTMLButtonElement>(`lab-${id}`));
  const progress = byId<HTMLProgressElement>('lab-progress');
  const state = byId('lab-state');
  let ranText: string | undefined; // that of the result that is shown
  let took = Infinity; // seconds, the last run
  const short = (): boolean => took < SHORT_S;

  const text = editor(changed);
  const specs = chooser({ text: () => text.text, onChosen: chosen });
  const knobs = sliders({ text: () => text.text, onMove: moved, onRelease: released, onChoice: () => specs.sliding(knobs.paths) });
  const validator = checking({ spec, options, onGood: good, onWrong: wrong });
  const jobs = runner({ onStart: started, onProgress: ticked, onDone: done, onCertified: certified, onTrouble: trouble, onEnd: ended });

  function spec(): Spec {
    return { text: text.text, ...specs.rest() };
  }
  function options(): Options {
    return rule.value === '' ? {} : { rule: rule.value };
  }
  function start(what: Run['what']): void {
    jobs.run({ what, spec: spec(), options: options() });
  }

  // ---- the spec ----------------------------------------------------------------------------------

  function changed(): void {
    specs.edited(text.text);
    knobs.follow(text.text);
    stale();
    validator.soon();
  }

  function moved(next: string, path: string): void {
    text.set(next, `slider ${path}`);
    if (short()) start('run');
  }

  function released(): void {
    if (!short() && took < RELEASE_S && !run?.disabled) start('run');
  }

  function chosen(next: string, paths: string[] | undefined): void {
    rule.value = '';
    took = Infinity;
    state.textContent = '';
    text.set(next, 'choice');
    knobs.choose(paths, next);
    byId('lab-about').textContent = '';
    void validator.now().then((checked) => {
      if (checked && !(checked.cost.seconds > AT_ONCE_S)) start('run');
    });
  }

  function good(checked: Checked): void {
    text.show(undefined);
    if (state.textContent === CANNOT_RUN) state.textContent = '';
    offerRules(checked.rules);
    const size = sizeOf(checked.cost);
    byId('lab-about').textContent = [`${checked.title}.`, ...checked.notes, size.says].filter((part) => part !== '').join(' ');
    byId('lab-about').classList.toggle('bad', !size.fits);
    if (!size.fits) specs.tooLarge();
    allow(true);
  }

  function wrong(why: Why): void {
    text.show(ours(why));
    allow(why.outcome !== 'refused');
    if (why.outcome === 'refused') state.textContent = CANNOT_RUN;
  }

  // A place in another file, such as a model's, is not in the editor.
  function ours(why: Why): Pick<Why, 'message' | 'place'> {
    return why.place && why.place.file === spec().file ? why : { message: why.message };
  }

  function offerRules(names: string[]): void {
    const before = rule.value;
    const first = el('option', { value: '' }, 'the spec’s main rule');
    rule.replaceChildren(first, ...names.map((name) => el('option', { value: name }, name)));
    rule.value = names.includes(before) ? before : '';
  }

  function stale(): void {
    const edited = ranText !== undefined && ranText !== text.text;
    const [before, now] = [shown.result?.name ?? '', nameIn(text.text)];
    byId('lab-stale').textContent = !edited
      ? ''
      : before !== now && now !== ''
        ? `This is the last run, of ${before}. Press Run for ${now}.`
        : 'The spec was changed after this run.';
  }

  // ---- runs --------------------------------------------------------------------------------------

  function allow(allowed: boolean): void {
    for (const one of [run, certify]) if (one) one.disabled = !allowed || jobs.busy;
    if (stop) stop.disabled = !jobs.busy;
  }

  function started(): void {
    allow(true);
    progress.hidden = false;
    progress.removeAttribute('value');
    if (!short()) state.textContent = 'Running …';
  }

  function ticked(what: string, at: number, total: number): void {
    if (total > 0) progress.value = at / total;
    if (!short()) state.textContent = total > 0 ? `${what}: ${at} of ${total}` : what;
  }

  function ended(): void {
    progress.hidden = true;
    allow(true);
  }

  function done(job: Run, result: Result): void {
    // A run of the experiment before says nothing of this one.
    if (nameIn(job.spec.text) === nameIn(text.text)) took = result.seconds;
    ranText = job.spec.text;
    shown.show(result, job.options.rule === undefined ? specs.published(job.spec.text) : undefined);
    stale();
    state.textContent = `Done in ${timeOf(result.seconds)}.`;
    for (const id of ['keep', 'measures-csv', 'curves-csv', 'run-spec']) byId<HTMLButtonElement>(`lab-${id}`).disabled = false;
  }

  function certified(_job: Run, certificate: Parameters<typeof shown.showCertificate>[0]): void {
    shown.showCertificate(certificate);
    state.textContent = 'The certificate is ready.';
    byId('lab-certificate').scrollIntoView({ block: 'nearest' });
  }

  function trouble(job: Run, why: Why): void {
    took = Infinity;
    state.textContent = why.outcome === 'stopped' ? 'Stopped. The last result stays.' : '';
    if (why.outcome === 'stopped') return;
    if (job.spec.text === text.text) text.show(ours(why));
    say(why.message, 'error');
  }

  // ---- buttons -----------------------------------------------------------------------------------

  async function copyLink(): Promise<void> {
    const link = await linkOf(spec());
    byId('lab-link-box').hidden = false;
    const field = byId<HTMLInputElement>('lab-link-text');
    field.value = link;
    const long = link.length > LONG_LINK ? ` It has ${link.length} characters: some programs cut links that long.` : '';
    try {
      await navigator.clipboard.writeText(link);
      say(`The link is copied: it holds the whole spec.${long}`);
    } catch {
      field.focus(); // no permission, or not a secure page: the person copies it
      field.select();
      say(`Copy the link from the field below the editor: it holds the whole spec.${long}`);
    }
  }

  const withResult = (act: (result: Result) => void) => () => {
    if (shown.result) act(shown.result);
  };
  const click = (id: string, act: () => void): void => byId(id).addEventListener('click', act);
  click('lab-run', () => start('run'));
  click('lab-certify', () => start('certify'));
  click('lab-stop', () => jobs.stop());
  click('lab-reset', () => specs.discard());
  click('lab-link', () => void copyLink().catch((why) => say(whyOf(why).message, 'error')));
  click('lab-keep', () => shown.keep());
  click('lab-forget', () => shown.forget());
  click('lab-spec', () => downloadSpec(nameIn(text.text) || 'spec', text.text));
  click('lab-measures-csv', withResult(downloadMeasures));
  click('lab-curves-csv', withResult(downloadCurves));
  click('lab-run-spec', withResult((result) => downloadSpec(`${result.name}-as-run`, result.spec)));
  rule.addEventListener('change', () => {
    if (short()) start('run');
    else byId('lab-stale').textContent = 'Another rule is chosen: run to see its signals.';
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (run && !run.disabled) start('run');
  });

  specs.start().catch((why) => say(whyOf(why).message, 'error'));
}
