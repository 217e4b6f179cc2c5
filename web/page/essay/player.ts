// SPDX-License-Identifier: Apache-2.0
// player: a clock with a button. It ticks only while it is played and its figure is on the screen, and
// starts by itself only where the reader has not asked for less motion.
import { button } from './dom';

export interface PlayerOptions {
  /** Of the button. */
  id: string;
  /** What the button plays, e.g. "the eye": "Play the eye". */
  what: string;
  /** Where the button goes. */
  host: HTMLElement;
  /** What must be on the screen for the clock to tick. */
  watched: Element;
  /** Called once per frame with the seconds since the last. */
  onTick(seconds: number): void;
  onPlay?(playing: boolean): void;
}

export interface Player {
  readonly playing: boolean;
  play(playing: boolean): void;
}

export function lessMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** A frame that came this late, after the page was hidden, counts as one of this length. */
const LONGEST_FRAME_S = 1;

export function player(options: PlayerOptions): Player {
  let playing = false;
  let visible = false;
  let frame = 0;
  let last = 0;

  const toggle = button(options.id, '', () => play(!playing));
  toggle.className = 'play';
  options.host.append(toggle);

  function tick(now: number): void {
    frame = requestAnimationFrame(tick);
    const seconds = Math.min((now - last) / 1000, LONGEST_FRAME_S);
    last = now;
    options.onTick(seconds);
  }

  function run(): void {
    cancelAnimationFrame(frame);
    if (!playing || !visible) return;
    last = performance.now();
    frame = requestAnimationFrame(tick);
  }

  function play(wanted: boolean): void {
    const changed = playing !== wanted;
    playing = wanted;
    toggle.textContent = `${playing ? 'Pause' : 'Play'} ${options.what}`;
    run();
    if (changed) options.onPlay?.(playing);
  }

  new IntersectionObserver((entries) => {
    visible = entries.some((entry) => entry.isIntersecting);
    run();
  }).observe(options.watched);

  play(false);
  return {
    get playing() {
      return playing;
    },
    play,
  };
}
