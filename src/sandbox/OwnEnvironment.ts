import {
  type Action,
  type ByAgent,
  EnvironmentError,
  type EnvironmentSpec,
  type HostEnvironment,
  type ResetOptions,
  type ResetResult,
  type StepResult,
} from "../rl/faces.ts";
import { describeValue, type SingleAgentSpace } from "../rl/spaces.ts";
import { spaceOf } from "./spaceOf.ts";

/** Common interface of single-agent and multi-agent module environments. */
export interface Drawn {
  /** Draws the current state; `null` if the module has no `render` method. */
  readonly draw: ((context: unknown, size: { width: number; height: number }) => unknown) | null;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface OwnOptions {
  /** Name used in messages. */
  readonly name: string;
  /** Truncates episodes after this many steps; `null` leaves that to the environment. */
  readonly max_episode_steps: number | null;
}

/** A method of a module's object, bound to that object; `undefined` if there is no such method. */
export function methodOf(own: Fields, name: string): ((...args: readonly unknown[]) => unknown) | undefined {
  const method = own[name];
  return typeof method === "function" ? (...args) => Reflect.apply(method, own, args) : undefined;
}

/** @throws EnvironmentError if the environment lacks the method. */
export function requireMethod(own: Fields, name: string): (...args: readonly unknown[]) => unknown {
  const method = methodOf(own, name);
  if (method) return method;
  throw new EnvironmentError(`${name}: found ${typeof own[name]}, allowed a function`);
}

export interface Saving {
  readonly save: () => unknown;
  /** @param elapsed Steps of the episode. */
  readonly load: (state: unknown, elapsed?: number) => void;
}

/**
 * The methods of a module's environment that save its state, if it has them.
 * @throws EnvironmentError if it has one of both.
 */
export function savingOf(own: Fields, setElapsed: (elapsed: number) => void): Partial<Saving> {
  const [save, load] = [methodOf(own, "save"), methodOf(own, "load")];
  if (save || load) for (const name of ["save", "load"]) requireMethod(own, name);
  return {
    ...(save && { save: () => save() }),
    ...(load && {
      load: (state: unknown, elapsed = 0) => {
        setElapsed(elapsed);
        return load(state) as undefined;
      },
    }),
  };
}

/** Name and time limit of an environment. The run's limit takes precedence over the one the module states. */
export function specOf(own: Fields, { name, max_episode_steps }: OwnOptions): EnvironmentSpec {
  const stated = (own.spec ?? {}) as Fields;
  // The code that creates lanes validates the number.
  const limit = (max_episode_steps ?? stated.max_episode_steps ?? null) as number | null;
  return { id: name, max_episode_steps: limit };
}

/** The spaces of a module's agents. @throws TypeError for anything but an object. */
export function spacesOf(own: Fields, field: string): ByAgent<SingleAgentSpace> {
  const spaces = own[field];
  if (typeof spaces !== "object" || spaces === null)
    throw new TypeError(
      `${field}: found ${describeValue(spaces)}, allowed an object with a space for each agent`,
    );
  return Object.fromEntries(
    Object.entries(spaces).map(([id, space]) => [id, spaceOf(space, `${field}.${id}`)]),
  );
}

/** A single-agent environment made by a module, with Gymnasium's interface. Its spaces are plain records. */
export class OwnEnvironment implements HostEnvironment, Drawn {
  readonly observation_space: SingleAgentSpace;
  readonly action_space: SingleAgentSpace;
  readonly spec: EnvironmentSpec;
  readonly draw: Drawn["draw"];
  readonly close: () => void;
  readonly save?: Saving["save"];
  readonly load?: Saving["load"];
  readonly compute_reward?: HostEnvironment["compute_reward"];
  readonly compute_terminated?: HostEnvironment["compute_terminated"];
  readonly #reset: (...args: readonly unknown[]) => unknown;
  readonly #step: (...args: readonly unknown[]) => unknown;
  readonly #limit: number | null;
  #elapsed = 0;

  /** @throws TypeError or RangeError for an invalid space; EnvironmentError without `reset` or `step`. */
  constructor(own: Fields, options: OwnOptions) {
    this.observation_space = spaceOf(own.observation_space, "observation_space");
    this.action_space = spaceOf(own.action_space, "action_space");
    this.spec = specOf(own, options);
    this.draw = methodOf(own, "render") ?? null;
    this.close = methodOf(own, "close") ?? (() => undefined);
    this.#reset = requireMethod(own, "reset");
    this.#step = requireMethod(own, "step");
    this.#limit = options.max_episode_steps;
    for (const name of ["compute_reward", "compute_terminated"])
      if (own[name] !== undefined) Object.assign(this, { [name]: methodOf(own, name) ?? own[name] });
    Object.assign(
      this,
      savingOf(own, (elapsed) => {
        this.#elapsed = elapsed;
      }),
    );
  }

  reset(options: ResetOptions = {}): ResetResult {
    this.#elapsed = 0;
    // The code that creates lanes validates the result.
    return this.#reset(options) as ResetResult;
  }

  step(action: Action): StepResult {
    const result = this.#step(action) as StepResult;
    this.#elapsed++;
    const isCut = this.#limit !== null && this.#elapsed >= this.#limit;
    return isCut && typeof result === "object" && result !== null ? { ...result, truncated: true } : result;
  }
}
