import { z } from "zod";
import { parseSpec } from "../../../specs/parseSpec.ts";
import type { LlmEnvironment } from "../LlmEnvironment.ts";
import { EpisodeRandom } from "./episodeRandom.ts";

/** Answer with the digit that follows the prompt's, (d mod 3) + 1: 1 where the text begins with it, else -1. One turn. */
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
