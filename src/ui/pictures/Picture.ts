import type { DrawEnvironment, DrawingTheme } from "../../rl/environments.ts";
import type { Clip } from "../../stage/recording.ts";
import { contextInPixels, onThemeChange } from "../lib/drawing.ts";
import { stageTheme } from "../stage/stageSettings.ts";

/** Milliseconds for which the last frame of a clip stays, before it begins again. */
const END = 800;

/** A canvas with an environment's own drawing: of one state, or of a clip that repeats. */
export class Picture {
  readonly #canvas: HTMLCanvasElement;
  readonly #draw: DrawEnvironment;
  readonly #still: ArrayLike<number>;
  readonly #release: (() => void)[];
  #theme: DrawingTheme;
  #shown: readonly [state: ArrayLike<number>, action: number | null];
  #request = 0;

  constructor(canvas: HTMLCanvasElement, draw: DrawEnvironment, still: ArrayLike<number>) {
    this.#canvas = canvas;
    this.#draw = draw;
    this.#still = still;
    this.#shown = [still, null];
    this.#theme = stageTheme(canvas.parentElement ?? document.body);
    const resized = new ResizeObserver(() => this.#paint());
    resized.observe(canvas);
    const forgetTheme = onThemeChange(() => {
      this.#theme = stageTheme(canvas.parentElement ?? document.body);
      this.#paint();
    });
    this.#release = [() => resized.disconnect(), forgetTheme];
    this.#paint();
  }

  /** Plays a clip over and over, from its start. @param interval Seconds between two frames. */
  play({ states, actions }: Clip, interval: number): void {
    cancelAnimationFrame(this.#request);
    const length = 1000 * interval * states.length + END;
    let begun: number | null = null;
    const next = (now: number): void => {
      begun ??= now;
      const frame = Math.floor(((now - begun) % length) / (1000 * interval));
      const at = Math.min(frame, states.length - 1);
      this.#show(states[at] ?? this.#still, actions[at] ?? null);
      this.#request = requestAnimationFrame(next);
    };
    this.#request = requestAnimationFrame(next);
  }

  /** Shows the still picture again. */
  stop(): void {
    cancelAnimationFrame(this.#request);
    this.#show(this.#still, null);
  }

  close(): void {
    cancelAnimationFrame(this.#request);
    for (const release of this.#release) release();
  }

  #show(state: ArrayLike<number>, action: number | null): void {
    if (state === this.#shown[0]) return;
    this.#shown = [state, action];
    this.#paint();
  }

  #paint(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const context = width > 0 ? contextInPixels(this.#canvas) : null;
    if (context === null) return;
    context.save();
    this.#draw(context, ...this.#shown, { width, height }, this.#theme);
    context.restore();
  }
}
