import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";
import type { LlmEnvironment } from "../LlmEnvironment.ts";
import { EpisodeRandom } from "./episodeRandom.ts";

/**
 * Single-turn task: answer two digits with ((d1 + d2) mod 3) + 1. Reward 1 if the text
 * starts with the answer, else -1.
 */
export class MultiInputConditional implements LlmEnvironment {
  readonly name = "rlkit/MultiInputConditional";
  readonly #random = new EpisodeRandom(this.name);
  #answer = "";

  /** @throws SpecError for any argument. */
  constructor(env_config: unknown = {}) {
    parseSpec(z.strictObject({}), env_config, "env_config");
  }

  reset(seed?: number) {
    const random = this.#random.next(seed);
    const [first, second] = [1 + random.integer(3), 1 + random.integer(3)];
    this.#answer = String(((first + second) % 3) + 1);
    return [`${first}${second}`, { answer: this.#answer }] as const;
  }

  step(action: string) {
    return ["", action.startsWith(this.#answer) ? 1 : -1, true, false, {}] as const;
  }
}
