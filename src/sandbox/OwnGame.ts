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
import { describeValue, type SingleAgentSpace, type SpaceElement, spaceToJson } from "../rl/spaces.ts";
import {
  type Drawn,
  type Fields,
  methodOf,
  type OwnOptions,
  requireMethod,
  type Saving,
  savingOf,
  spacesOf,
  specOf,
} from "./OwnEnvironment.ts";

/** Whether a module's object is a game: its agents act in turn, and each is asked what it sees. */
export const isGame = (own: Fields): boolean => "possible_agents" in own && typeof own.observe === "function";

/**
 * A turn-based game made by a module, with the terms of PettingZoo's AEC interface (Terry et al. 2021). As an environment of
 * one agent, the player whose turn it is observes and acts. The reward is that of one seat, and after the end, that seat
 * observes. `info.waits` is there at the turns of other players.
 */
export class OwnGame implements HostEnvironment, Drawn {
  /** Ids of the players. */
  readonly players: readonly string[];
  readonly observation_space: SingleAgentSpace;
  readonly action_space: SingleAgentSpace;
  readonly spec: EnvironmentSpec;
  readonly draw: Drawn["draw"];
  readonly close: () => void;
  readonly save?: Saving["save"];
  readonly load?: Saving["load"];
  readonly #own: Fields;
  readonly #seat: string;
  readonly #reset: (...args: readonly unknown[]) => unknown;
  readonly #step: (...args: readonly unknown[]) => unknown;
  readonly #observe: (...args: readonly unknown[]) => unknown;
  readonly #limit: number | null;
  #elapsed = 0;
  #rewards: readonly number[] = [];

  /**
   * @param seat Index of the player whose reward a step gives; the players take the seats in turn.
   * @throws As `OwnEnvironment`; EnvironmentError for players that are not at least two, or that have different spaces.
   */
  constructor(own: Fields, options: OwnOptions, seat = 0) {
    this.#own = own;
    this.players = playersOf(own.possible_agents);
    this.#seat = this.players[seat % this.players.length] as string; // There are at least two.
    this.observation_space = this.#commonSpace("observation_spaces");
    this.action_space = this.#commonSpace("action_spaces");
    if (this.action_space.kind !== "Discrete")
      throw new EnvironmentError(
        `action_spaces: found ${this.action_space.kind}, allowed in games: Discrete, one of n moves`,
      );
    this.spec = specOf(own, options);
    this.draw = methodOf(own, "render") ?? null;
    this.close = methodOf(own, "close") ?? (() => undefined);
    this.#reset = requireMethod(own, "reset");
    this.#step = requireMethod(own, "step");
    this.#observe = requireMethod(own, "observe");
    this.#limit = this.spec.max_episode_steps;
    Object.assign(
      this,
      savingOf(own, (elapsed) => {
        this.#elapsed = elapsed;
      }),
    );
  }

  /** What each player got by the last step, in the players' order. */
  get rewards(): readonly number[] {
    return this.#rewards;
  }

  reset(options: ResetOptions = {}): ResetResult {
    this.#elapsed = 0;
    this.#reset(options);
    return this.#turn();
  }

  step(action: Action): StepResult {
    this.#step(action);
    this.#elapsed++;
    this.#rewards = this.#each("rewards", Number.isFinite, "a finite number");
    const isFlag = (value: unknown): boolean => typeof value === "boolean";
    const terminated = this.#together("terminations", this.#each("terminations", isFlag, "true or false"));
    const cut = this.#together("truncations", this.#each("truncations", isFlag, "true or false"));
    const truncated = cut || (this.#limit !== null && this.#elapsed >= this.#limit && !terminated);
    const reward = this.#rewards[this.players.indexOf(this.#seat)] as number; // The seat is one of the players.
    if (terminated || truncated)
      return { observation: this.#seen(this.#seat).observation, reward, terminated, truncated, info: {} };
    return { ...this.#turn(), reward, terminated, truncated };
  }

  /** What the player sees whose turn it is. */
  #turn(): ResetResult {
    const { agent_selection: mover } = this.#own;
    if (typeof mover !== "string" || !this.players.includes(mover))
      throw new EnvironmentError(
        `agent_selection: found ${describeValue(mover)}, allowed the player whose turn it is: ${this.players.join(" or ")}`,
      );
    const { observation, action_mask } = this.#seen(mover);
    const info = {
      ...(action_mask !== undefined && { action_mask }),
      ...(mover !== this.#seat && { waits: true }),
    };
    return { observation, info };
  }

  #seen(player: string): { readonly observation: SpaceElement; readonly action_mask?: unknown } {
    const seen = this.#observe(player);
    if (typeof seen === "object" && seen !== null && "observation" in seen)
      // The code that creates lanes validates the numbers.
      return seen as { readonly observation: SpaceElement };
    throw new EnvironmentError(
      `observe("${player}"): found ${describeValue(seen)}, allowed an object { observation, action_mask }`,
    );
  }

  /** A field's values in the players' order. */
  #each<Value>(field: string, allows: (value: unknown) => boolean, allowed: string): readonly Value[] {
    const values = this.#own[field];
    const own = typeof values === "object" && values !== null ? (values as ByAgent<unknown>) : {};
    return this.players.map((player) => {
      if (Object.hasOwn(own, player) && allows(own[player])) return own[player] as Value;
      const found =
        own === values && Object.hasOwn(own, player)
          ? `${player}: ${describeValue(own[player])}`
          : describeValue(values);
      throw new EnvironmentError(
        `${field}: found ${found}, allowed ${allowed} for each of ${this.players.join(", ")}`,
      );
    });
  }

  /** A flag that all players must share. */
  #together(field: string, flags: readonly boolean[]): boolean {
    const [first = false] = flags;
    const other = flags.findIndex((flag) => flag !== first);
    if (other < 0) return first;
    const [left, stays] = first ? [0, other] : [other, 0];
    throw new EnvironmentError(
      `${field}: found that ${this.players[left]} leaves while ${this.players[stays]} plays on, allowed the same for all players: a game ends for all of them together`,
    );
  }

  #commonSpace(field: "observation_spaces" | "action_spaces"): SingleAgentSpace {
    const spaces = spacesOf(this.#own, field);
    const all = this.players.map((player) => {
      if (Object.hasOwn(spaces, player)) return spaces[player] as SingleAgentSpace; // It has one.
      throw new EnvironmentError(`${field}: found none for ${player}, allowed a space for each player`);
    });
    const texts = all.map((space) => JSON.stringify(spaceToJson(space)));
    const other = texts.findIndex((text) => text !== texts[0]);
    if (other < 0) return all[0] as SingleAgentSpace; // There are at least two.
    throw new EnvironmentError(
      `${field}: found ${texts[other]} for ${this.players[other]}, allowed the space of ${this.players[0]}, ${texts[0]}: all players are played by one policy`,
    );
  }
}

/** @throws EnvironmentError for anything but a list of two ids or more. */
function playersOf(given: unknown): readonly string[] {
  const isList = Array.isArray(given) && given.every((id) => typeof id === "string");
  if (isList && given.length > 1 && new Set(given).size === given.length) return given;
  throw new EnvironmentError(
    `possible_agents: found ${describeValue(given)}, allowed a list of the ids of two players or more`,
  );
}
