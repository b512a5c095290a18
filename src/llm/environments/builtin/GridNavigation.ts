import { z } from "zod";
import { field, integer, parseSpec } from "../../../specs/checks.ts";
import type { LlmEnvironment } from "../LlmEnvironment.ts";
import { EpisodeRandom } from "./episodeRandom.ts";

const CELLS = 4;
const MOVES: Readonly<Record<string, number>> = { 1: -1, 2: 0, 3: 1 };

const Config = z.strictObject({ max_turns: field(integer(1).default(5), "Most turns.", { unit: "turns" }) });

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
    this.#max_turns = parseSpec(Config, env_config, "env_config").max_turns;
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
