/** Built-in environments for language models, and all of them by id. */

import { z } from "zod";
import { Random } from "../../evolution/random.ts";
import { field, integer, parseSpec } from "../../specs/checks.ts";
import { alternatives } from "../../specs/messages.ts";
import type { LlmEnvironment } from "./LlmEnvironment.ts";

/** Random numbers of an environment's episodes, seeded by the reset, or else by the number of the episode. */
class EpisodeRandom {
  readonly #stream: string;
  #episodes = 0;

  constructor(stream: string) {
    this.#stream = stream;
  }

  next(seed: number | undefined): Random {
    const generation = this.#episodes++;
    return seed === undefined
      ? new Random({ seed: 0, stream: this.#stream, generation })
      : new Random({ seed, stream: this.#stream });
  }
}

const ConstantConfig = z.strictObject({
  target: z.string().min(1).default("3"),
  prompt: z.string().min(1).default("11"),
});

/** Single-turn task: answer every prompt with the target. Reward 1 if the text contains it, else -1. */
class ConstantTarget implements LlmEnvironment {
  readonly name = "rlkit/ConstantTarget";
  readonly #config: z.output<typeof ConstantConfig>;

  /** @throws SpecError for an unknown argument. */
  constructor(env_config: unknown = {}) {
    this.#config = parseSpec(ConstantConfig, env_config, "env_config");
  }

  reset() {
    return [this.#config.prompt, {}] as const;
  }

  step(action: string) {
    return ["", action.includes(this.#config.target) ? 1 : -1, true, false, {}] as const;
  }
}

/**
 * Single-turn task: answer a digit d with (d mod 3) + 1. Reward 1 if the text
 * starts with the answer, else -1.
 */
class ConditionalTarget implements LlmEnvironment {
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

/**
 * Single-turn task: answer two digits with ((d1 + d2) mod 3) + 1. Reward 1 if the text
 * starts with the answer, else -1.
 */
class MultiInputConditional implements LlmEnvironment {
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

const CELLS = 4;
const MOVES: Readonly<Record<string, number>> = { 1: -1, 2: 0, 3: 1 };

const GridConfig = z.strictObject({
  max_turns: field(integer(1).default(5), "Most turns.", { unit: "turns" }),
});

/**
 * Walk to the target on a line of four cells, 0 to 3. The first observation is position and target, each
 * later one only the position. The first character of the text is the move: 1 left, 3 right; 2 or any other
 * character stays. The reward is 1 on the target, which ends the episode, -1 at the last turn, which also
 * ends it, and otherwise -0.1.
 */
export class GridNavigation implements LlmEnvironment {
  readonly name = "rlkit/GridNavigation";
  readonly #max_turns: number;
  readonly #random = new EpisodeRandom(this.name);
  #position = 0;
  #target = 0;
  #turns = 0;

  /** @throws SpecError for an unknown argument. */
  constructor(env_config: unknown = {}) {
    this.#max_turns = parseSpec(GridConfig, env_config, "env_config").max_turns;
  }

  reset(seed?: number) {
    const random = this.#random.next(seed);
    this.#position = random.integer(CELLS);
    this.#target = (this.#position + 1 + random.integer(CELLS - 1)) % CELLS;
    this.#turns = 0;
    return [`${this.#position}${this.#target}`, {}] as const;
  }

  step(action: string) {
    const move = MOVES[action.charAt(0)] ?? 0;
    this.#position = Math.min(CELLS - 1, Math.max(0, this.#position + move));
    this.#turns++;
    const arrived = this.#position === this.#target;
    const late = this.#turns >= this.#max_turns;
    const reward = arrived ? 1 : late ? -1 : -0.1;
    return [String(this.#position), reward, arrived || late, false, {}] as const;
  }
}

type MakeEnvironment = (env_config: unknown) => LlmEnvironment;

const makers = new Map<string, MakeEnvironment>([
  ["rlkit/ConstantTarget", (config) => new ConstantTarget(config)],
  ["rlkit/ConditionalTarget", (config) => new ConditionalTarget(config)],
  ["rlkit/MultiInputConditional", (config) => new MultiInputConditional(config)],
  ["rlkit/GridNavigation", (config) => new GridNavigation(config)],
]);

/** Ids of the built-in environments. */
export const listLlmEnvironments = (): string[] => [...makers.keys()];

/**
 * @throws Error for an unknown id, with the nearest known one; SpecError for arguments that
 *   the environment does not have.
 */
export function makeLlmEnvironment(id: string, env_config: unknown = {}): LlmEnvironment {
  const make = makers.get(id);
  if (make !== undefined) return make(env_config);
  const others = alternatives("text environment", id, { names: listLlmEnvironments() });
  throw new Error(`unknown text environment "${id}"${others}`);
}
