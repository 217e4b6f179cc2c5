// SPDX-License-Identifier: Apache-2.0
// remote: cfpc in a worker. Calls wait for each other; a worker that died is started again.
import { CfpcError, late, sentenceOf } from './error';
import { ports, type OpenPort, type Port } from './port';
import type { FromWorker, Method } from './protocol';
import type {
  BasisDef,
  Certificate,
  Checked,
  ConnectOptions,
  Learned,
  LearnDef,
  LoopDef,
  LoopFacts,
  Options,
  Remote,
  Result,
  Spec,
  Tick,
  Why,
} from './types';
import { compile } from './wasm';

interface Call {
  id: number;
  method: Method;
  args: unknown[];
  tick: Tick | undefined;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

function reject(call: Call, why: Why): void {
  call.reject(new CfpcError(why));
}

class Connection implements Remote {
  version = '';
  private port: Port | null = null;
  private ready = false;
  private closed = false;
  private restarting = ''; // why, while a worker after one that died is not ready
  private beginning: { done(): void; fail(reason: CfpcError): void } | null = null;
  private running: Call | null = null;
  private waiting: Call[] = [];
  private silent: ReturnType<typeof setTimeout> | undefined; // until the deadline of a call that has told nothing
  private lastId = 0;

  constructor(
    private readonly open: OpenPort,
    private readonly wasm: WebAssembly.Module,
    private readonly options: ConnectOptions,
  ) {}

  // ---- the calls of cfpc

  check(spec: Spec, options?: Options): Promise<Checked> {
    return this.call('check', [spec, options]);
  }
  show(spec: Spec, options?: Options): Promise<string> {
    return this.call('show', [spec, options]);
  }
  run(spec: Spec, options?: Options, tick?: Tick): Promise<Result> {
    return this.call('run', [spec, options], tick);
  }
  certify(spec: Spec, options?: Options, tick?: Tick): Promise<Certificate> {
    return this.call('certify', [spec, options], tick);
  }
  loop(def: LoopDef): Promise<LoopFacts> {
    return this.call('loop', [def]);
  }
  simulate(def: LoopDef, drive: Float64Array): Promise<Float64Array> {
    return this.call('simulate', [def, drive]);
  }
  bases(def: BasisDef, stepMs: number, steps: number): Promise<Float64Array> {
    return this.call('bases', [def, stepMs, steps]);
  }
  learn(def: LearnDef): Promise<Learned> {
    return this.call('learn', [def]);
  }

  // ---- its life

  stop(): void {
    const why: Why = { outcome: 'stopped', message: 'the call was stopped' };
    const isBusy = this.running !== null;
    const calls = this.takeAll();
    if (isBusy) this.start();
    for (const call of calls) reject(call, why);
  }

  close(): void {
    const calls = this.takeAll();
    this.closed = true;
    this.endPort();
    for (const call of calls) reject(call, { outcome: 'stopped', message: 'the worker was closed' });
  }

  start(): void {
    this.endPort();
    const listener = {
      hear: (message: FromWorker) => {
        if (port === this.port) this.hear(message);
      },
      died: (message: string) => {
        if (port === this.port) this.died(message);
      },
    };
    let port: Port | null = null;
    try {
      port = this.port = this.open(listener);
      port.post({ kind: 'start', wasm: this.wasm });
    } catch (thrown) {
      // such as a script of another origin
      this.cannotStart(sentenceOf(thrown));
    }
  }

  private endPort(): void {
    clearTimeout(this.silent);
    this.port?.end();
    this.port = null;
    this.ready = false;
  }

  private takeAll(): Call[] {
    const calls = this.running ? [this.running, ...this.waiting] : this.waiting;
    this.running = null;
    this.waiting = [];
    return calls;
  }

  // ---- one call after another

  private call<T>(method: Method, args: unknown[], tick?: Tick): Promise<T> {
    return new Promise<T>((resolve, fail) => {
      const it: Call = { id: ++this.lastId, method, args, tick, resolve: resolve as Call['resolve'], reject: fail };
      if (this.closed) return reject(it, { outcome: 'stopped', message: 'the worker was closed' });
      this.waiting.push(it);
      if (!this.port) this.start();
      this.next();
    });
  }

  private next(): void {
    if (!this.ready || this.running) return;
    const call = this.waiting.shift();
    if (!call) return;
    const { id, method, args, tick } = call;
    const deadlineMs = (args[1] as Options | undefined)?.deadlineMs;
    try {
      this.port!.post({ kind: 'call', id, method, args, ticks: tick !== undefined || deadlineMs !== undefined });
      this.running = call;
      clearTimeout(this.silent);
      if (deadlineMs! > 0 && deadlineMs! < 2 ** 31)
        this.silent = setTimeout(() => this.isLate(call, deadlineMs!), deadlineMs);
    } catch (thrown) {
      // such as a function within a spec
      reject(call, { outcome: 'refused', message: `what was given cannot be sent to a worker: ${sentenceOf(thrown)}` });
      this.next();
    }
  }

  private hear(message: FromWorker): void {
    if (message.kind === 'ready') this.isReady(message.version);
    else if (message.kind === 'dead') this.died(message.message);
    else if (this.running?.id === message.id) this.hearOf(this.running, message);
  }

  private hearOf(call: Call, message: Exclude<FromWorker, { kind: 'ready' | 'dead' }>): void {
    clearTimeout(this.silent);
    if (message.kind === 'tick') this.tell(call, message);
    else if (message.kind === 'why' && message.why.outcome === 'died') this.died(message.why.message);
    else {
      this.running = null;
      if (message.kind === 'done') call.resolve(message.value);
      else reject(call, message.why);
      this.next();
    }
  }

  /** What the caller's own function throws ends its call, as it does without a worker. */
  private tell(call: Call, { what, done, total }: Extract<FromWorker, { kind: 'tick' }>): void {
    try {
      call.tick?.(what, done, total);
    } catch (thrown) {
      this.running = null;
      this.start();
      call.reject(thrown);
    }
  }

  /** What told something ends by itself (experiment.ts); this call goes with its worker, and what waits goes on. */
  private isLate(call: Call, deadlineMs: number): void {
    if (this.running !== call) return;
    this.running = null;
    this.start();
    reject(call, late(deadlineMs, { done: 0, total: 0 }));
  }

  private isReady(version: string): void {
    this.version = version;
    this.ready = true;
    const says = this.restarting;
    this.restarting = '';
    this.beginning?.done();
    this.next();
    if (says) this.options.onRestart?.(says);
  }

  private died(message: string): void {
    const wasReady = this.ready;
    const call = this.running;
    this.running = null;
    this.endPort();
    if (call) reject(call, { outcome: 'died', message: `cfpc's worker died: ${message}` });
    if (wasReady) {
      this.restarting = `cfpc's worker died (${message}) and was started again`;
      this.start();
    } else this.cannotStart(message);
  }

  /** It would die again: the next call tries it. */
  private cannotStart(message: string): void {
    const why: Why = { outcome: 'died', message: `cfpc's worker could not be started: ${message}` };
    this.endPort();
    this.beginning?.fail(new CfpcError(why));
    for (const call of this.takeAll()) reject(call, why);
  }

  /** Starts it; rejects if it cannot be. */
  async begin(): Promise<this> {
    await new Promise<void>((done, fail) => {
      this.beginning = { done, fail };
      this.start();
    }).finally(() => {
      this.beginning = null;
    });
    return this;
  }
}

export async function connect(options: ConnectOptions = {}): Promise<Remote> {
  const [open, wasm] = await Promise.all([ports(options.worker), compile(options.wasm)]);
  return new Connection(open, wasm, options).begin();
}
