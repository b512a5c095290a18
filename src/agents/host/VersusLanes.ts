/** Games that the host steps, as lanes of one agent: the opponent's moves are part of a step. */
import {
  type AnyVectorEnvironment,
  type AsyncVectorEnvironment,
  EnvironmentError,
  endedLanes,
  type Info,
  lastingLanes,
  nameOf,
  type PlacedLanes,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "../../rl/faces.ts";
import { elementSize } from "../../rl/spaces.ts";
import { goOnLanes, resetLanes, stepLanes } from "../runtime/wasm/hostLanes.ts";

/** Where a rival is asked for its moves. */
export interface RivalTurn {
  readonly observation: Float32Array;
  readonly info: readonly Info[];
  /** 1 for lanes in which the rival has the turn, [num_envs]. */
  readonly wanted: Uint8Array;
  /** 1 for lanes in which the agent has not moved yet, [num_envs]. */
  readonly opens: Uint8Array;
  /** Lanes of the game. */
  readonly lanes: AnyVectorEnvironment;
}

/** What moves for the other player. */
export interface Rival {
  /** Moves of all lanes, of which only those are used where the rival has the turn. */
  moves(turn: RivalTurn): ArrayLike<number> | Promise<ArrayLike<number>>;
}

/** Most moves of a rival after one move of the agent. */
const MOST_MOVES = 10_000;

/** Whether an info says that another player has the turn. */
const waits = (info: Info | undefined): boolean => info?.waits === true;

/**
 * Lanes of a game against a rival. A step is the agent's move and all moves of the rival until the agent has the turn again
 * or the game ends; its reward is what the agent's seat gets by all of them.
 */
export class VersusLanes implements AsyncVectorEnvironment {
  readonly asynchronous = true;
  readonly num_envs: number;
  readonly single_observation_space: AsyncVectorEnvironment["single_observation_space"];
  readonly single_action_space: AsyncVectorEnvironment["single_action_space"];
  readonly spec?: NonNullable<AsyncVectorEnvironment["spec"]>;
  readonly #lanes: AnyVectorEnvironment;
  readonly #rival: Rival;
  readonly #width: number;

  /** @param lanes Of the game: they skip lanes that are not wanted. Owned and closed by the caller. */
  constructor(lanes: AnyVectorEnvironment, rival: Rival) {
    this.num_envs = lanes.num_envs;
    this.single_observation_space = lanes.single_observation_space;
    this.single_action_space = lanes.single_action_space;
    if (lanes.spec) this.spec = lanes.spec;
    this.#lanes = lanes;
    this.#rival = rival;
    this.#width = elementSize(lanes.single_observation_space);
  }

  async reset(options: VectorResetOptions = {}): Promise<VectorResetResult> {
    const { observation, info } = await resetLanes(this.#lanes, options);
    return this.#opened({ observation, info: [...info] });
  }

  async step(actions: ArrayLike<number>, wanted?: Uint8Array): Promise<VectorStepResult> {
    const { info, final_info, ...rows } = await stepLanes(this.#lanes, actions, wanted);
    return this.#answered({ ...rows, info: [...info], final_info: [...final_info] });
  }

  /**
   * As `LastingLanes`.
   * @internal
   */
  async goOn(seed: number, places: unknown, observation: Float32Array | null): Promise<PlacedLanes> {
    const before = observation && { places, observation };
    const { observation: first, info, ...rest } = await goOnLanes(this.#lanes, seed, before);
    return { ...rest, ...(await this.#opened({ observation: first, info: [...info] })) };
  }

  /**
   * As `LastingLanes`.
   * @internal
   */
  async places(): Promise<unknown> {
    return lastingLanes(this.#lanes)?.places() ?? null;
  }

  close(): void {
    // The lanes are the caller's.
  }

  /** The rival begins where it has the first turn. */
  async #opened({
    observation,
    info,
  }: {
    observation: Float32Array;
    info: Info[];
  }): Promise<VectorResetResult> {
    const { num_envs } = this;
    const empty = () => new Uint8Array(num_envs);
    const { observation: seen, info: known } = await this.#answered({
      observation,
      final_observation: observation.slice(),
      reward: new Float32Array(num_envs),
      terminated: empty(),
      // New games, which count for nothing before the agent's first move.
      truncated: empty().fill(1),
      info,
      final_info: info.map(() => ({})),
    });
    return { observation: seen, info: known };
  }

  /** The result of a step after the rival's moves. A game that ends before the agent's first move is not the agent's. */
  async #answered(
    result: VectorStepResult & { readonly info: Info[]; readonly final_info: Info[] },
  ): Promise<VectorStepResult> {
    const width = this.#width;
    const { observation, final_observation, reward, terminated, truncated, info, final_info } = result;
    const ended = endedLanes(result);
    const start = this.single_action_space.kind === "Discrete" ? this.single_action_space.start : 0;
    let moves = 0;
    for (let waiting = info.map(waits); waiting.includes(true); waiting = info.map(waits)) {
      if (++moves > MOST_MOVES)
        throw new EnvironmentError(
          `${nameOf(this.#lanes)}: found ${MOST_MOVES} moves of one player in a row, allowed games that go on to the other player or end; set max_episode_steps`,
        );
      const wanted = Uint8Array.from(waiting, Number);
      const lanes = this.#lanes;
      const chosen = await this.#rival.moves({ observation, info, wanted, opens: ended, lanes });
      const actions = waiting.map((waiting, lane) => (waiting ? Number(chosen[lane]) : start));
      const next = await stepLanes(lanes, actions, wanted);
      const over = endedLanes(next);
      for (const [lane, isWaiting] of waiting.entries()) {
        if (!isWaiting) continue;
        const at = lane * width;
        const own = (rows: Float32Array) => rows.subarray(at, at + width);
        observation.set(own(next.observation), at);
        info[lane] = next.info[lane] ?? {};
        if (ended[lane] === 1) continue;
        reward[lane] = (reward[lane] as number) + (next.reward[lane] as number); // Each lane has one.
        terminated[lane] = next.terminated[lane] as number;
        truncated[lane] = next.truncated[lane] as number;
        final_observation.set(own(next.final_observation), at);
        final_info[lane] = next.final_info[lane] ?? {};
        ended[lane] = over[lane] as number;
      }
    }
    return result;
  }
}
