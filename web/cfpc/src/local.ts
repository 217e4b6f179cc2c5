// SPDX-License-Identifier: Apache-2.0
// local: cfpc in this thread.
import { CfpcError, Passed, sentenceOf } from './error';
import * as experiment from './experiment';
import { enterHome } from './files';
import * as loops from './loop';
import { textAt } from './memory';
import { start, type Native } from './native';
import type {
  BasisDef,
  Certificate,
  Cfpc,
  Checked,
  Learned,
  LearnDef,
  LoopDef,
  LoopFacts,
  Options,
  Result,
  Spec,
  Tick,
} from './types';

export class Local implements Cfpc {
  readonly version: string;
  private broken = '';

  constructor(private readonly native: Native) {
    this.version = textAt(native, native._web_version());
    native.tell = {};
    enterHome(native.FS);
  }

  check(spec: Spec, options?: Options): Checked {
    return this.call(() => experiment.check(this.native, spec, options));
  }

  show(spec: Spec, options?: Options): string {
    return this.call(() => experiment.show(this.native, spec, options));
  }

  run(spec: Spec, options?: Options, tick?: Tick): Result {
    return this.call(() => experiment.run(this.native, spec, options, tick));
  }

  certify(spec: Spec, options?: Options, tick?: Tick): Certificate {
    return this.call(() => experiment.certify(this.native, spec, options, tick));
  }

  loop(def: LoopDef): LoopFacts {
    return this.call(() => loops.loop(this.native, def));
  }

  simulate(def: LoopDef, drive: Float64Array): Float64Array {
    return this.call(() => loops.simulate(this.native, def, drive));
  }

  bases(def: BasisDef, stepMs: number, steps: number): Float64Array {
    return this.call(() => loops.bases(this.native, def, stepMs, steps));
  }

  learn(def: LearnDef): Learned {
    return this.call(() => loops.learn(this.native, def));
  }

  /** A module that broke down is not called again. */
  private call<T>(it: () => T): T {
    if (this.broken)
      throw new CfpcError({ outcome: 'died', message: `cfpc broke down (${this.broken}) and must be loaded again` });
    try {
      return it();
    } catch (thrown) {
      if (thrown instanceof CfpcError) throw thrown;
      if (thrown instanceof Passed) throw thrown.thrown;
      this.broken = sentenceOf(thrown);
      throw new CfpcError({ outcome: 'died', message: `cfpc broke down: ${this.broken}` });
    }
  }
}

export async function startLocal(wasm: WebAssembly.Module): Promise<Local> {
  return new Local(await start(wasm));
}
