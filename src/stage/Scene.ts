/** An environment on stage: how it is drawn, how fast it goes, and how long the bars of its returns are. */
import { type DrawEnvironment, drawEnvironment } from "../rl/environments/index.ts";
import type { Part } from "./Company.ts";
import { frameRateOf } from "./frameRateOf.ts";
import { ReturnScale } from "./ReturnScale.ts";

export class Scene {
  readonly env: Part["env"];
  /** Null where a sandbox draws. */
  readonly draw: DrawEnvironment | null;
  readonly scale: ReturnScale;
  /** Milliseconds of a step. */
  readonly frame: number;

  constructor(env: Part["env"]) {
    this.env = env;
    this.draw = drawEnvironment(env.id, env.options ?? {});
    this.scale = new ReturnScale(env.reward_threshold);
    this.frame = 1000 / frameRateOf(env);
  }
}
