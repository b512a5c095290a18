/** An environment on stage: its drawing, its pace and the scale of its return bars. */
import { type DrawEnvironment, drawEnvironment } from "../rl/environments.ts";
import type { Part } from "./Company.ts";
import { frameRateOf } from "./frameRateOf.ts";
import { ReturnScale } from "./ReturnScale.ts";

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
