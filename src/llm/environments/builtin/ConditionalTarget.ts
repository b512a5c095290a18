import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";
import type { LlmEnvironment } from "../LlmEnvironment.ts";
import { EpisodeRandom } from "./episodeRandom.ts";

/**
 * Single-turn task: answer a digit d with (d mod 3) + 1. Reward 1 if the text
 * starts with the answer, else -1.
 */
export class ConditionalTarget implements LlmEnvironment {
  readonly name = "rlkit/ConditionalTarget";
  readonly #random = new EpisodeRandom(this.name);
  #answer = "";

  /** @throws SpecError for any argument. */
  constructor(env_config: unknown = {}) {
    parseSpec(z.strictObject({}), env_config, "env_config");
  }

  reset(seed?: number) {
    const digit = 1 + this.#random.next(seed).integer(3);
    this.#answer = String((digit % 3) + 1);
    return [String(digit), { answer: this.#answer }] as const;
  }

  step(action: string) {
    return ["", action.startsWith(this.#answer) ? 1 : -1, true, false, {}] as const;
  }
}
