/** Environments from what a module exports. */
import {
  type Action,
  type ByAgent,
  EnvironmentError,
  type EnvironmentOptions,
  type EnvironmentSpec,
  isParallelEnvironment,
  type ParallelEnvironment,
  type ParallelResetResult,
  type ParallelStepResult,
  type ResetOptions,
  thrownBy,
} from "../rl/faces.ts";
import { describeValue, isClass, isPromise, type SingleAgentSpace } from "../rl/spaces.ts";
import {
  type Drawn,
  type Fields,
  methodOf,
  OwnEnvironment,
  type OwnOptions,
  requireMethod,
  type Saving,
  savingOf,
  spacesOf,
  specOf,
} from "./OwnEnvironment.ts";
import { isGame, OwnGame } from "./OwnGame.ts";

/** A multi-agent environment made by a module, with PettingZoo's parallel interface. */
class OwnParallelEnvironment implements ParallelEnvironment, Drawn {
  readonly possible_agents: readonly string[];
  readonly observation_spaces: ByAgent<SingleAgentSpace>;
  readonly action_spaces: ByAgent<SingleAgentSpace>;
  readonly spec: EnvironmentSpec;
  readonly draw: Drawn["draw"];
  readonly close: () => void;
  readonly save?: Saving["save"];
  readonly load?: Saving["load"];
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
    Object.assign(
      this,
      savingOf(own, (elapsed) => {
        this.#elapsed = elapsed;
      }),
    );
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

export type MadeEnvironment = OwnEnvironment | OwnParallelEnvironment | OwnGame;

/**
 * The exported class or function that makes a module's environments.
 * @param entrypoint The export's name; `null` for the default export.
 * @throws EnvironmentError for a module that does not export it.
 */
export function exportOf(
  module: Readonly<Record<string, unknown>>,
  entrypoint: string | null,
  name: string,
): (options: EnvironmentOptions) => unknown {
  const key = entrypoint ?? "default";
  const found = Object.hasOwn(module, key) ? module[key] : undefined;
  if (typeof found === "function") {
    // `isClass` has checked that it is a class.
    const construct = found as new (options: EnvironmentOptions) => unknown;
    return isClass(found)
      ? (options) => new construct(options)
      : (options) => Reflect.apply(found, undefined, [options]);
  }
  const names = Object.keys(module);
  const has = names.length === 0 ? "it exports nothing" : `it exports ${names.join(", ")}`;
  const place = entrypoint === null ? "default export" : `export "${entrypoint}"`;
  throw new EnvironmentError(
    `${name}: ${place}: found ${describeValue(found)} (${has}), allowed a class, or a function of options that returns an environment`,
  );
}

/**
 * Makes an environment of a module.
 * @param lane Its number: lanes of a game take the players' seats in turn.
 * @throws EnvironmentError for an error it threw, or a missing part of the environment interface.
 */
export function makeEnvironment(
  create: (options: EnvironmentOptions) => unknown,
  options: EnvironmentOptions,
  own: OwnOptions,
  lane = 0,
): MadeEnvironment {
  let environment: unknown;
  try {
    environment = create(options);
  } catch (error) {
    throw thrownBy(`${own.name}: open`, error);
  }
  if (typeof environment !== "object" || environment === null || isPromise(environment))
    throw new EnvironmentError(
      `${own.name}: open: found ${describeValue(environment)}, allowed an environment with observation_space, action_space, reset and step`,
    );
  try {
    const fields = environment as Fields;
    if (isGame(fields)) return new OwnGame(fields, own, lane);
    return isParallelEnvironment(environment)
      ? new OwnParallelEnvironment(fields, own)
      : new OwnEnvironment(fields, own);
  } catch (error) {
    const what = error instanceof Error ? error.message : describeValue(error);
    throw new EnvironmentError(`${own.name}: open: ${what}`, { cause: error });
  }
}
