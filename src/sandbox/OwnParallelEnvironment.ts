import type {
  Action,
  ByAgent,
  EnvironmentSpec,
  ParallelEnvironment,
  ParallelResetResult,
  ParallelStepResult,
  ResetOptions,
} from "../rl/faces.ts";
import { describeValue, type SingleAgentSpace } from "../rl/spaces.ts";
import { type Drawn, methodOf, type OwnOptions, requireMethod, specOf } from "./OwnEnvironment.ts";
import { spaceOf } from "./spaceOf.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A multi-agent environment made by a module, with PettingZoo's parallel interface. */
export class OwnParallelEnvironment implements ParallelEnvironment, Drawn {
  readonly possible_agents: readonly string[];
  readonly observation_spaces: ByAgent<SingleAgentSpace>;
  readonly action_spaces: ByAgent<SingleAgentSpace>;
  readonly spec: EnvironmentSpec;
  readonly draw: Drawn["draw"];
  readonly close: () => void;
  readonly #own: Fields;
  readonly #reset: (...args: readonly unknown[]) => unknown;
  readonly #step: (...args: readonly unknown[]) => unknown;
  readonly #limit: number | null;
  #elapsed = 0;

  /** @throws As `OwnEnvironment`. */
  constructor(own: Fields, options: OwnOptions) {
    this.#own = own;
    // The code that creates lanes validates the ids.
    this.possible_agents = own.possible_agents as readonly string[];
    this.observation_spaces = spacesOf(own, "observation_spaces");
    this.action_spaces = spacesOf(own, "action_spaces");
    this.spec = specOf(own, options);
    this.draw = methodOf(own, "render") ?? null;
    this.close = methodOf(own, "close") ?? (() => undefined);
    this.#reset = requireMethod(own, "reset");
    this.#step = requireMethod(own, "step");
    this.#limit = options.max_episode_steps;
  }

  get agents(): readonly string[] {
    // As above.
    return this.#own.agents as readonly string[];
  }

  reset(options: ResetOptions = {}): ParallelResetResult {
    this.#elapsed = 0;
    return this.#reset(options) as ParallelResetResult;
  }

  step(actions: ByAgent<Action>): ParallelStepResult {
    const result = this.#step(actions) as ParallelStepResult;
    this.#elapsed++;
    const isCut = this.#limit !== null && this.#elapsed >= this.#limit;
    if (!isCut || typeof result !== "object" || result === null) return result;
    return { ...result, truncations: Object.fromEntries(Object.keys(actions).map((id) => [id, true])) };
  }
}

function spacesOf(own: Fields, field: string): ByAgent<SingleAgentSpace> {
  const spaces = own[field];
  if (typeof spaces !== "object" || spaces === null)
    throw new TypeError(
      `${field}: found ${describeValue(spaces)}, allowed an object with a space for each agent`,
    );
  return Object.fromEntries(
    Object.entries(spaces).map(([id, space]) => [id, spaceOf(space, `${field}.${id}`)]),
  );
}
