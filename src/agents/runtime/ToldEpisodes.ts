/** Single training episodes of a turn, from the cells that its programs or its host keep them in. */
import { EPISODES, EVOLUTION, TOLD_ITERATIONS } from "../../rl/programs.ts";
import type { Space } from "../../rl/spaces.ts";
import type { AgentState } from "../member/agentState.ts";
import type { Contents } from "./agentBuffers.ts";
import { rolloutCount, rolloutSizes, type Sizes } from "./programInputs.ts";
import { type EndedEpisode, programSteps, type Turn } from "./turn.ts";
import { scoreShare } from "./turnResult.ts";

/**
 * Most cells of a turn, unless there are more lanes. Each lane has one cell for each window of the turn, which keeps the
 * last episode that ended in it. So the same episodes are kept on every device and with any division into slices.
 */
const MOST_CELLS = 256;

const windowsOf = ({ num_envs }: Pick<Turn, "num_envs">): number =>
  Math.max(1, Math.floor(MOST_CELLS / num_envs));

/** Cells, with a spare one for each lane: see `EPISODES`. */
const cellsOf = (turn: Pick<Turn, "num_envs">): number => (windowsOf(turn) + 1) * turn.num_envs;

/** The size of the cells, if the turn tells its episodes. */
export const episodeSizes = (turn: Turn): Pick<Sizes, "episode_cells"> =>
  turn.tells_episodes ? { episode_cells: cellsOf(turn) } : {};

const turnLength = (agent: AgentState, turn: Turn): number =>
  turn.off_policy
    ? programSteps(turn)
    : rolloutCount(agent, turn) * rolloutSizes(agent, turn.num_envs).horizon;

/** The cells, by the names of `EPISODES`. */
type ReadCells = (name: string) => ArrayLike<number>;

/** What a turn tells of its episodes, from its cells. */
export class ToldEpisodes {
  readonly #turn: Turn;
  /** Environment steps of the member before the turn. */
  readonly #before: number;
  readonly #share: number;
  /** Vector steps of a window. */
  readonly window: number;
  /** By cell: the end of the last episode that was told. */
  readonly #told: Int32Array;

  /** @param observed Observation space of the member. */
  constructor(agent: AgentState, turn: Turn, observed: Space) {
    this.#turn = turn;
    this.#before = agent.steps;
    this.#share = turn.mean_rewards ? 1 : scoreShare(observed, turn);
    this.window = Math.ceil(turnLength(agent, turn) / windowsOf(turn));
    this.#told = new Int32Array(cellsOf(turn) - turn.num_envs);
  }

  /** The cells at the start of the turn. */
  get contents(): Contents {
    return new Map<string, ArrayLike<number>>([
      [EPISODES.window, [this.window]],
      [EPISODES.windows, [windowsOf(this.#turn)]],
      [EPISODES.steps, new Int32Array(cellsOf(this.#turn))],
    ]);
  }

  /** Episodes that ended since the last call, in order. */
  fresh(read: ReadCells): readonly EndedEpisode[] {
    return this.#episodes(read, (step, cell) => {
      const isNew = step !== this.#told[cell];
      this.#told[cell] = step;
      return isNew;
    });
  }

  /** All episodes that were kept, in order. */
  all(read: ReadCells): readonly EndedEpisode[] {
    return this.#episodes(read, (step) => step > 0);
  }

  #episodes(read: ReadCells, isWanted: (step: number, cell: number) => boolean): readonly EndedEpisode[] {
    const steps = read(EPISODES.steps);
    const returns = read(EPISODES.returns);
    const found: EndedEpisode[] = [];
    for (let cell = 0; cell < this.#told.length; cell++) {
      const step = steps[cell] ?? 0;
      const ret = (returns[cell] ?? Number.NaN) * this.#share;
      if (isWanted(step, cell) && Number.isFinite(ret))
        found.push([this.#before + step * this.#turn.num_envs, ret]);
    }
    return found.sort(([a], [b]) => a - b);
  }
}

/**
 * Iterations of an evolution strategy's turn, in the place of episodes: their ends, and the mean returns of their copies.
 * @param before Environment steps of the member before the turn.
 */
export function toldIterations(before: number, iterations: number, read: ReadCells): readonly EndedEpisode[] {
  const [steps, returns] = [read(EVOLUTION.told_steps), read(EVOLUTION.told_returns)];
  return Array.from(
    { length: Math.min(iterations, TOLD_ITERATIONS) },
    (_, i): EndedEpisode => [before + (steps[i] ?? 0), returns[i] ?? Number.NaN],
  );
}

/** Keeps the episodes of environments that the host steps, as programs keep them. */
export class HostEpisodes {
  readonly #told: ToldEpisodes;
  readonly #lanes: number;
  readonly #means: boolean;
  readonly #steps: Int32Array;
  readonly #returns: Float32Array;
  /** By lane: the return of its running episode. */
  readonly #running: Float32Array;
  readonly #length: number;
  #step = 0;
  /** For bandits: rewards of the window so far, and how many there are. */
  #rewards = { sum: 0, count: 0 };

  /** @param observed Observation space of the member. */
  constructor(agent: AgentState, turn: Turn, observed: Space) {
    this.#told = new ToldEpisodes(agent, turn, observed);
    this.#lanes = turn.num_envs;
    this.#means = turn.mean_rewards === true;
    this.#steps = new Int32Array(cellsOf(turn));
    this.#returns = new Float32Array(cellsOf(turn));
    this.#running = new Float32Array(turn.num_envs);
    this.#length = turnLength(agent, turn);
  }

  /** Goes on with episodes of an earlier turn. @param returns Theirs so far, [lanes]. */
  goOn(returns: Float32Array): void {
    this.#running.set(returns);
  }

  /** Counts a step of all lanes. @param reward [lanes], or [lanes, agents] */
  step(reward: Float32Array, ended: Uint8Array): void {
    this.#step += 1;
    if (this.#means) return this.#addRewards(reward);
    const agents = reward.length / this.#lanes;
    for (let lane = 0; lane < this.#lanes; lane++) {
      let own = 0;
      for (let i = lane * agents; i < (lane + 1) * agents; i++) own = Math.fround(own + (reward[i] ?? 0));
      const ret = Math.fround((this.#running[lane] ?? 0) + own);
      this.#running[lane] = ended[lane] ? 0 : ret;
      if (ended[lane]) this.#keep(lane, ret);
    }
  }

  /** Counts the steps and the finished episodes of a caller's collector, which does not say when they ended. */
  skip(steps: number, returns: readonly number[]): void {
    this.#step += steps;
    for (const [i, ret] of returns.entries()) this.#keep(i % this.#lanes, ret);
  }

  fresh(): readonly EndedEpisode[] {
    return this.#told.fresh(this.#read);
  }

  all(): readonly EndedEpisode[] {
    return this.#told.all(this.#read);
  }

  #addRewards(reward: Float32Array): void {
    const rewards = this.#rewards;
    for (const one of reward) rewards.sum += one;
    rewards.count += reward.length;
    if (this.#step % this.#told.window !== 0 && this.#step !== this.#length) return;
    this.#keep(0, rewards.sum / rewards.count);
    this.#rewards = { sum: 0, count: 0 };
  }

  #keep(lane: number, ret: number): void {
    const cell = Math.floor((this.#step - 1) / this.#told.window) * this.#lanes + lane;
    this.#steps[cell] = this.#step;
    this.#returns[cell] = ret;
  }

  #read = (name: string): ArrayLike<number> => (name === EPISODES.steps ? this.#steps : this.#returns);
}
