/** An environment on stage: how it is drawn, how fast it goes, and how long the bars of its returns are. */
import {
  type DrawEnvironment,
  drawEnvironment,
  type RegisteredEnvironment,
} from "../rl/environments/index.ts";
import { frameRateOf } from "./frameRateOf.ts";
import { ReturnScale } from "./ReturnScale.ts";

export class Scene {
  readonly env: RegisteredEnvironment;
  readonly draw: DrawEnvironment | null;
  readonly scale: ReturnScale;
  /** Milliseconds of a step. */
  readonly frame: number;

  constructor(env: RegisteredEnvironment) {
    this.env = env;
    this.draw = drawEnvironment(env.id, env.options ?? {});
    this.scale = new ReturnScale(env.reward_threshold);
    this.frame = 1000 / frameRateOf(env);
  }
}
