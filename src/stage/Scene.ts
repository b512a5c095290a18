/** An environment on stage: its drawing, its pace and the scale of its return bars. */
import { type DrawEnvironment, drawEnvironment, type RegisteredEnvironment } from "../rl/environments.ts";
import type { Part } from "./CastLoader.ts";

/** Frame rate of environments that define none. */
const USUAL = 30;

/** Steps per second at which an environment is meant to be shown. */
export const frameRateOf = ({ frame_rate }: Pick<RegisteredEnvironment, "frame_rate">): number =>
  frame_rate ?? USUAL;

/** The scale of return bars, shared by all tiles so that bar lengths are comparable. */
export class ReturnScale {
  #least = 0;
  #most: number;

  /** @param threshold Return at which the task counts as solved; null if none is defined. */
  constructor(threshold: number | null) {
    this.#most = Math.max(0, threshold ?? 0);
    this.#least = Math.min(0, threshold ?? 0);
  }

  /** Extends the scale to include a return, also that of an unfinished episode. */
  see(total: number): void {
    if (!Number.isFinite(total)) return;
    this.#least = Math.min(this.#least, total);
    this.#most = Math.max(this.#most, total);
  }

  /** Length of the bar for a return, 0 to 1. */
  lengthOf(total: number): number {
    const span = this.#most - this.#least;
    if (span === 0 || !Number.isFinite(total)) return 0;
    return Math.min(1, Math.max(0, (total - this.#least) / span));
  }
}

export class Scene {
  readonly env: Part["env"];
  /** Null for an environment that a sandbox draws. */
  readonly draw: DrawEnvironment | null;
  readonly scale: ReturnScale;
  /** Milliseconds per step. */
  readonly frame: number;

  constructor(env: Part["env"]) {
    this.env = env;
    this.draw = drawEnvironment(env.id, env.options ?? {});
    this.scale = new ReturnScale(env.reward_threshold);
    this.frame = 1000 / frameRateOf(env);
  }
}
