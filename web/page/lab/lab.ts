// SPDX-License-Identifier: Apache-2.0
// lab: the parts of the lab page, joined. The ids of lab.html, which tests may rely on:
//
//   lab-experiment  the list          lab-about       title               lab-rule        the main rule
//   lab-run         Run               lab-stop        Stop                lab-progress, lab-state
//   lab-late        a run took too long: lab-fewer, lab-whole run it again
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
import type { Options, Result, Spec, Why } from '../../cfpc/src/types';
import { client } from '../parts/client';
import { linkOf } from '../parts/link';
import { say } from '../parts/say';
import { checking, type Read } from './checking';
import { chooser } from './chooser';
import { byId, el } from './dom';
import { downloadCurves, downloadMeasures, downloadSpec } from './downloads';
import { editor } from './editor';
import { nameIn } from './experiments';
import { type Fewer, withFewer } from './fewer';
import { duration, timeLeft } from './left';
import { results, timeOf } from './results';
import { type Run, runner, whyOf } from './runner';
import { sliders } from './sliders';

/** A run that took less is repeated while a slider moves, and one that took less than this when it is let go. */
const SHORT_S = 0.5;
const RELEASE_S = 5;
/** A run is stopped after this: what runs by itself, when it is chosen, and what a person has started. */
const AT_ONCE_MS = 2000;
const RUN_MS = 60_000;
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
  let left = timeLeft();
  let since = 0; // when the run began
  let fewer: Fewer | undefined; // what would have fit into the time of a run that was stopped
  const short = (): boolean => took < SHORT_S;

  const text = editor(changed);
  const specs = chooser({ text: () => text.text, onChosen: chosen });
  const knobs = sliders({
    text: () => text.text,
    onMove: moved,
    onRelease: released,
    onChoice: () => specs.sliding(knobs.paths),
  });
  const validator = checking({ spec, options, onRead: read, onGood: good, onLate: unchecked, onWrong: wrong });
  const jobs = runner({
    onStart: started,
    onProgress: ticked,
    onDone: done,
    onCertified: certified,
    onTrouble: trouble,
    onEnd: ended,
  });

  function spec(): Spec {
    return { text: text.text, ...specs.rest() };
  }
  function options(): Options {
    return rule.value === '' ? {} : { rule: rule.value };
  }
  function start(what: Run['what'], deadlineMs = Infinity): void {
    byId('lab-late').hidden = true;
    jobs.run({ what, spec: spec(), options: { ...options(), ...(deadlineMs < Infinity ? { deadlineMs } : {}) } });
  }
  function startRun(): void {
    start('run', RUN_MS);
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
    if (short()) startRun();
  }

  function released(): void {
    if (!short() && took < RELEASE_S && !run?.disabled) startRun();
  }

  function chosen(next: string, paths: string[] | undefined): void {
    rule.value = '';
    took = Infinity;
    state.textContent = '';
    byId('lab-late').hidden = true;
    text.set(next, 'choice');
    knobs.choose(paths, next);
    byId('lab-about').textContent = '';
    void validator.now().then((isGood) => {
      if (isGood) start('run', AT_ONCE_MS);
    });
  }

  function read({ title, rules }: Read): void {
    offerRules(rules);
    byId('lab-about').textContent = `${title}.`;
  }

  function good(): void {
    text.show(undefined);
    if (state.textContent === CANNOT_RUN) state.textContent = '';
    allow(true);
  }

  function unchecked(): void {
    good();
    byId('lab-about').append(
      ' Only the spec was checked: to try its loop and its rules takes long; a run does that first.',
    );
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
    left = timeLeft();
    since = performance.now();
    if (!short()) state.textContent = 'Running …';
  }

  function ticked(what: string, at: number, total: number): void {
    if (total > 0) progress.value = at / total;
    const now = performance.now();
    const rest = left(at, total, now);
    // Words that come and go with every move of a slider would flicker.
    if (!short() || now - since > 1e3 * SHORT_S)
      state.textContent = total > 0 ? `${what}: ${at} of ${total}${rest && `, ${rest}`}` : what;
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
    for (const id of ['keep', 'measures-csv', 'curves-csv', 'run-spec'])
      byId<HTMLButtonElement>(`lab-${id}`).disabled = false;
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
    if (why.outcome === 'late') return void late(job, why);
    if (job.spec.text === text.text) text.show(ours(why));
    say(why.message, 'error');
  }

  // A story or a claim may need its trials.
  async function isGood(one: Fewer): Promise<boolean> {
    return (await client()).show({ ...spec(), text: one.text }, options()).then(
      () => true,
      () => false,
    );
  }

  // What there was time for is the spec with fewer trials: exactly that is run, if a person wants it.
  async function late(job: Run, why: Why): Promise<void> {
    if (job.options.deadlineMs === AT_ONCE_MS) {
      state.textContent = 'Press Run: this takes longer than it may by itself.';
      return;
    }
    const { done, total } = why.reached ?? { done: 0, total: 0 };
    const found = done > 0 ? withFewer(job.spec.text, done / total) : undefined;
    fewer = found && (await isGood(found)) ? found : undefined;
    if (job.spec.text !== text.text || jobs.busy) return; // by now something else is asked for
    byId('lab-late-says').textContent = `The run was ${why.message}. The last result stays.`;
    byId('lab-fewer').textContent = fewer ? `Run ${fewer.says}` : '';
    byId('lab-fewer').hidden = !fewer;
    byId('lab-whole').textContent =
      `Run all of it${done > 0 ? `, about ${duration((RUN_MS / 1e3) * (total / done))}` : ''}`;
    byId('lab-late').hidden = false;
  }

  function runFewer(): void {
    if (!fewer) return;
    text.set(fewer.text, 'fewer trials');
    start('run');
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
  click('lab-run', startRun);
  click('lab-fewer', runFewer);
  click('lab-whole', () => start('run'));
  click('lab-certify', () => start('certify'));
  click('lab-stop', () => jobs.stop());
  click('lab-reset', () => specs.discard());
  click('lab-link', () => void copyLink().catch((why) => say(whyOf(why).message, 'error')));
  click('lab-keep', () => shown.keep());
  click('lab-forget', () => shown.forget());
  click('lab-spec', () => downloadSpec(nameIn(text.text) || 'spec', text.text));
  click('lab-measures-csv', withResult(downloadMeasures));
  click('lab-curves-csv', withResult(downloadCurves));
  click(
    'lab-run-spec',
    withResult((result) => downloadSpec(`${result.name}-as-run`, result.spec)),
  );
  rule.addEventListener('change', () => {
    if (short()) startRun();
    else byId('lab-stale').textContent = 'Another rule is chosen: run to see its signals.';
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (run && !run.disabled) startRun();
  });

  specs.start().catch((why) => say(whyOf(why).message, 'error'));
}
