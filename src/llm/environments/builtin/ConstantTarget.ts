import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";
import type { LlmEnvironment } from "../LlmEnvironment.ts";

const Config = z.strictObject({
  target: z.string().min(1).default("3"),
  prompt: z.string().min(1).default("11"),
});

/** Single-turn task: answer every prompt with the target. Reward 1 if the text contains it, else -1. */
export class ConstantTarget implements LlmEnvironment {
  readonly name = "rlkit/ConstantTarget";
  readonly #config: z.output<typeof Config>;

  /** @throws SpecError for an unknown argument. */
  constructor(env_config: unknown = {}) {
    this.#config = parseSpec(Config, env_config, "env_config");
  }

  reset() {
    return [this.#config.prompt, {}] as const;
  }

  step(action: string) {
    return ["", action.includes(this.#config.target) ? 1 : -1, true, false, {}] as const;
  }
}
