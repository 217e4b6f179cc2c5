// SPDX-License-Identifier: Apache-2.0
// loop: a loop by itself: facts, simulation, bases and learning.
import { refuse } from './error';
import { above, atLeast, finite, record, shown, signal, whole } from './given';
import { type Memory, numbersAt, withMemory } from './memory';
import type { Native, Pointer } from './native';
import type { BasisDef, Learned, LearnDef, LoopDef, LoopFacts } from './types';
import { demand, succeed } from './why';

const STAGES = ['leaky-integrator', 'lag'];
const TRACES = ['forward-model', 'none', 'delay']; // as C counts them
const MAX_STAGES = 20; // with a delay of a second more of them take seconds
const MAX_DELAY_STEPS = 50000;

/** The number of a kind in C. */
function kindOf(value: unknown, name: string, kinds: string[]): number {
  const found = kinds.indexOf(value as string);
  return found >= 0 ? found : refuse(`${name} must be ${kinds.join(' or ')}; this is ${shown(value)}`);
}

/** A time that is a whole number of steps. */
function steps(value: unknown, name: string, stepMs: number): number {
  const time = atLeast(value, name, 0);
  const count = time / stepMs;
  if (Math.abs(count - Math.round(count)) > 1e-6 * Math.max(1, count))
    refuse(`${name} must be a whole number of steps of ${stepMs} ms; this is ${time}`);
  if (count > MAX_DELAY_STEPS)
    refuse(`${name} must be at most ${MAX_DELAY_STEPS} steps of ${stepMs} ms; this is ${time}`);
  return time;
}

function stagesOf(stages: unknown): { kinds: number[]; times: number[] } {
  if (!Array.isArray(stages) || stages.length < 1 || stages.length > MAX_STAGES)
    return refuse(
      `loop.stages must be a list of 1 to ${MAX_STAGES} stages; this ${Array.isArray(stages) ? `has ${stages.length}` : `is ${shown(stages)}`}`,
    );
  return {
    kinds: stages.map((it, i) => kindOf(record(it, `loop.stages[${i}]`).kind, `loop.stages[${i}].kind`, STAGES)),
    times: stages.map((it: LoopDef['stages'][0], i) => above(it.timeConstantMs, `loop.stages[${i}].timeConstantMs`, 0)),
  };
}

function make(memory: Memory, def: LoopDef): Pointer {
  const { native } = memory;
  const it = record(def, 'loop', ['stepMs', 'stages', 'kp', 'kiPerS', 'delayMs']);
  const stepMs = above(it.stepMs, 'loop.stepMs', 0);
  const { kinds, times } = stagesOf(it.stages);
  const loop = native._web_loop_make(
    stepMs,
    kinds.length,
    memory.integers(kinds),
    memory.numbers(times),
    finite(it.kp, 'loop.kp'),
    finite(it.kiPerS, 'loop.kiPerS'),
    steps(it.delayMs, 'loop.delayMs', stepMs),
  );
  return memory.own(demand(native, loop), native._web_loop_free);
}

export function loop(native: Native, def: LoopDef): LoopFacts {
  return withMemory(native, (memory) => {
    const made = make(memory, def);
    const facts = memory.room(5);
    succeed(native, native._web_loop_facts(made, facts));
    const [stable, largestPole, gainMargin, phaseMarginDeg, delayMarginMs] = numbersAt(native, facts, 5) as unknown as [
      number,
      number,
      number,
      number,
      number,
    ];
    return { stable: stable !== 0, largestPole, gainMargin, phaseMarginDeg, delayMarginMs };
  });
}

export function simulate(native: Native, def: LoopDef, drive: Float64Array): Float64Array {
  const { length } = signal(drive, 'drive');
  return withMemory(native, (memory) => {
    const made = make(memory, def);
    const y = memory.room(length);
    succeed(native, native._web_loop_simulate(made, length, memory.numbers(drive), y));
    return numbersAt(native, y, length);
  });
}

function basisOf(def: unknown): BasisDef {
  const it = record(def, 'basis', ['count', 'widthMs', 'spacingMs']);
  return {
    count: whole(it.count, 'basis.count', 1, 1e6),
    widthMs: above(it.widthMs, 'basis.widthMs', 0),
    spacingMs: atLeast(it.spacingMs, 'basis.spacingMs', 0),
  };
}

/** The basis signals, in the module's memory. */
function basesIn(memory: Memory, def: BasisDef, stepMs: number, steps: number): Pointer {
  const { native } = memory;
  const { count, widthMs, spacingMs } = basisOf(def);
  const x = memory.room(steps * count);
  succeed(native, native._web_bases(count, widthMs, spacingMs, stepMs, steps, x));
  return x;
}

export function bases(native: Native, def: BasisDef, stepMs: number, count: number): Float64Array {
  above(stepMs, 'stepMs', 0);
  whole(count, 'steps', 1, 1e7);
  return withMemory(native, (memory) => numbersAt(native, basesIn(memory, def, stepMs, count), count * def.count));
}

// ---- learning ------------------------------------------------------------------------------------

function traceOf(trace: unknown, stepMs: number): { kind: number; delayMs: number } {
  const it = record(trace, 'trace', ['kind', 'delayMs']);
  const kind = kindOf(it.kind, 'trace.kind', TRACES);
  return { kind, delayMs: it.kind === 'delay' ? steps(it.delayMs, 'trace.delayMs', stepMs) : 0 };
}

/** Cuts what C wrote, one part after another. */
function cut(all: Float64Array, trials: number, count: number, length: number): Learned {
  let at = 0;
  const next = (size: number): Float64Array => {
    at += size;
    return all.slice(at - size, at);
  };
  const optimum = next(1)[0]!;
  return {
    optimum,
    rrmse: next(trials),
    weights: next(trials * count),
    o: next(trials * length),
    y: next(trials * length),
    e: next(trials * length),
  };
}

export function learn(native: Native, def: LearnDef): Learned {
  const it = record(def, 'def', ['loop', 'basis', 'trace', 'rateFraction', 'trials', 'r']);
  const r = signal(it.r, 'r');
  const trials = whole(it.trials, 'trials', 1, 1e6);
  const fraction = above(it.rateFraction, 'rateFraction', 0);
  return withMemory(native, (memory) => {
    const made = make(memory, def.loop);
    const { kind, delayMs } = traceOf(it.trace, def.loop.stepMs);
    const { count } = basisOf(def.basis);
    const x = basesIn(memory, def.basis, def.loop.stepMs, r.length);
    const size = 1 + trials * (1 + count + 3 * r.length);
    const learned = memory.room(size);
    succeed(
      native,
      native._web_learn(made, r.length, count, x, memory.numbers(r), kind, delayMs, fraction, trials, learned),
    );
    return cut(numbersAt(native, learned, size), trials, count, r.length);
  });
}
