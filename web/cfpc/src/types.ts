// SPDX-License-Identifier: Apache-2.0
// types: the arguments and results of cfpc.js. All of it is plain data, so that it crosses to a
// worker and back as it is.

// ---- a spec ------------------------------------------------------------------------------------

/** A value of a setting, as in a spec. */
export type Value = string | number | boolean | Value[] | { [key: string]: Value };

/** A spec as YAML text, with what it needs. */
export interface Spec {
  /** The YAML text. */
  text: string;
  /** Its name in messages; default: spec.yaml. */
  file?: string;
  /** Files that the spec names (models, logs), by the name that it uses. */
  files?: Record<string, string>;
}

export interface Options {
  /** Values that replace those of the spec, by path: {"loop.delay_ms": 40}. */
  set?: Record<string, Value>;
  /** The rule whose signals are kept; default: that of the spec. */
  rule?: string;
  trials?: number;
  /** η of every rule. */
  rate?: number;
  /** Learn at every step. */
  online?: boolean;
  /** Runs with other seeds. */
  repeat?: number;
  /** Added to every seed. */
  seed?: number;
  /**
   * A run or a certificate that takes longer ends with outcome 'late' when it next tells how far it is; in a worker any
   * call that has told nothing by then is ended with its worker. Default: none.
   */
  deadlineMs?: number;
}

// ---- what is wrong -----------------------------------------------------------------------------

/** Where: lines and columns count from 1, in characters. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** Pieces of a run: trials, evaluations of `tune`, loops of a population; a rule that is computed is one piece. */
export interface Reached {
  done: number;
  total: number;
}

/** Why a call was refused (the input is bad: nothing was begun) or failed. `message` is one line for a person. */
export interface Why {
  outcome: 'refused' | 'failed' | 'stopped' | 'late' | 'died';
  message: string;
  place?: Place;
  /** How far what is late was. */
  reached?: Reached;
}

// ---- what an experiment gives --------------------------------------------------------------------

/** What `cfpc check` says of a spec. */
export interface Checked {
  name: string;
  title: string;
  rules: string[];
  /** The line that `cfpc check` prints. */
  text: string;
}

/** A dataset under its name in result.h5, e.g. curves/fm-et (docs/lab.md). */
export interface Dataset {
  unit: string;
  /** [] a number, [n], [rows, columns]; row-major. */
  shape: number[];
  values: Float64Array;
}

export interface Measure {
  name: string;
  unit: string;
  /** NaN where the run does not define it. */
  value: number;
}

export interface Claim {
  name: string;
  says: string;
  measure: string;
  /** NaN: no such bound. */
  low: number;
  high: number;
  measured: number;
  /** false: it neither holds nor fails with these settings. */
  applies: boolean;
  holds: boolean;
}

export interface RuleResult {
  name: string;
  /** η of the first phase. */
  rate: number;
  /** Trial, from 1; 0: it did not diverge. */
  divergedAt: number;
  /** Why there is none; '': there is. */
  noOptimum: string;
  taughtBy: string;
  weights: Float64Array;
}

export interface Phase {
  name: string;
  /** Trials, from 1. */
  first: number;
  last: number;
}

export interface Result {
  name: string;
  title: string;
  /** Of cfpc. */
  version: string;
  /** The spec as it was run, with every default, in YAML. */
  spec: string;
  /** One per line. */
  settings: string;
  /** The rule whose signals are kept. */
  rule: string;
  repeats: number;
  /**
   * Of all that was computed, as 16 hexadecimal digits: results with the same hash have the same datasets, bit for bit
   * (docs/lab.md). It is what `cfpc run` prints.
   */
  hash: string;
  datasets: Record<string, Dataset>;
  measures: Measure[];
  claims: Claim[];
  rules: RuleResult[];
  phases: Phase[];
  /** Whether `cfpc run` would exit with 0; if not, why. */
  ok: boolean;
  says: string;
  /** How long the run took. */
  seconds: number;
}

/** The certificate as JSON, as `cfpc analyse --json` writes it (docs/certificate.md). */
export interface Certificate {
  [key: string]: unknown;
}

/** Told how far a call is; a call in a worker is stopped by `Remote.stop`. */
export type Tick = (what: string, done: number, total: number) => void;

// ---- a loop by itself --------------------------------------------------------------------------

/** Plant: stages one after another. Controller: kp + ki/s. The delay is on the error, after o was added. */
export interface LoopDef {
  stepMs: number;
  stages: { kind: 'leaky-integrator' | 'lag'; timeConstantMs: number }[];
  kp: number;
  kiPerS: number;
  delayMs: number;
}

export interface LoopFacts {
  stable: boolean;
  /** Largest modulus of a pole, delays included. */
  largestPole: number;
  /** Infinite where no such change makes the loop oscillate; NaN in an unstable loop, which has no margins. */
  gainMargin: number;
  phaseMarginDeg: number;
  delayMarginMs: number;
}

/** Gaussian bumps, centred in the trial, as `basis: {kind: gaussian}` of a spec. */
export interface BasisDef {
  count: number;
  widthMs: number;
  spacingMs: number;
}

/** Batch learning, one update per trial, as `learning: {mode: batch}` of a spec. */
export interface LearnDef {
  loop: LoopDef;
  basis: BasisDef;
  trace: { kind: 'forward-model' } | { kind: 'none' } | { kind: 'delay'; delayMs: number };
  /** Of 1/λmax(HᵀH); 0.5 in the experiment pursuit. */
  rateFraction: number;
  trials: number;
  /** The reference, one value per step. */
  r: Float64Array;
}

/** Everything about every trial. */
export interface Learned {
  /** One value per trial. */
  rrmse: Float64Array;
  /** rRMSE of the best weights. */
  optimum: number;
  /** (trials x bases), row-major; those that the trial was run with. */
  weights: Float64Array;
  /** (trials x steps): the counterfactual error, the output, the error. */
  o: Float64Array;
  y: Float64Array;
  e: Float64Array;
}

// ---- the module ----------------------------------------------------------------------------------

/** cfpc in this thread: every call ends before it returns. Bad input throws a CfpcError. */
export interface Cfpc {
  readonly version: string;
  check(spec: Spec, options?: Options): Checked;
  /** The effective spec, with every default, as YAML. */
  show(spec: Spec, options?: Options): string;
  run(spec: Spec, options?: Options, tick?: Tick): Result;
  certify(spec: Spec, options?: Options, tick?: Tick): Certificate;
  loop(def: LoopDef): LoopFacts;
  /** y = T drive, one value per step; also of a loop that is not stable. */
  simulate(def: LoopDef, drive: Float64Array): Float64Array;
  /** The basis signals (steps x count), row-major. */
  bases(def: BasisDef, stepMs: number, steps: number): Float64Array;
  learn(def: LearnDef): Learned;
}

/** cfpc in a worker: the same calls as promises, one after another. They reject with a CfpcError. */
export interface Remote {
  readonly version: string;
  check(spec: Spec, options?: Options): Promise<Checked>;
  show(spec: Spec, options?: Options): Promise<string>;
  run(spec: Spec, options?: Options, tick?: Tick): Promise<Result>;
  certify(spec: Spec, options?: Options, tick?: Tick): Promise<Certificate>;
  loop(def: LoopDef): Promise<LoopFacts>;
  simulate(def: LoopDef, drive: Float64Array): Promise<Float64Array>;
  bases(def: BasisDef, stepMs: number, steps: number): Promise<Float64Array>;
  learn(def: LearnDef): Promise<Learned>;
  /** Ends what is running, and what waits: they reject with outcome 'stopped'. The worker starts again. */
  stop(): void;
  /** Ends the worker for good. */
  close(): void;
}

/** Where the parts of cfpc are, if not beside cfpc.js. */
export interface LoadOptions {
  /** cfpc-native.wasm: its address, its bytes, or compiled. */
  wasm?: URL | string | BufferSource | WebAssembly.Module;
}

export interface ConnectOptions extends LoadOptions {
  /** The address of worker.js. */
  worker?: URL | string;
  /** Called after the worker died and was started again, with one sentence for a person. */
  onRestart?: (says: string) => void;
}
