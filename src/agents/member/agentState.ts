/**
 * A member of a population as plain data, which is sent to workers, evolved and saved, and the recurrent state of its
 * networks for each environment.
 */
import { type NetworkState, networkMemory, type Tensors } from "../../rl/networks.ts";
import type { Normalization } from "../../rl/programs.ts";
import { type AgentSpaces, statisticsSizes } from "../../rl/spaces.ts";

export interface OptimizerState {
  /** Networks that it trains, in order. */
  readonly networks: readonly string[];
  /** The algorithm's own parameters that it trains, in order; absent when there are none. */
  readonly parameters?: readonly string[];
  /** Hyperparameter that holds its learning rate. */
  readonly lr: string;
  /** Adam steps taken. */
  readonly step: number;
  /**
   * First and second moments by "<network>.<tensor>", or "parameters.<name>" for the algorithm's own
   * parameters.
   */
  readonly first: Tensors;
  readonly second: Tensors;
}

/** A tensor that the algorithm learns in addition to its networks. */
export interface ParameterState {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Running statistics of columns of numbers, all of the same length; 0 before the first value. */
export interface RunningStatistics {
  /** How many values each column had, up to 2^24. */
  readonly count: Float32Array;
  readonly mean: Float32Array;
  /** Mean square deviation. */
  readonly variance: Float32Array;
  /** How many values were cut or left out because they were far from all others; absent if none were. */
  readonly outliers?: Float32Array;
}

/** How an agent scales what it observes and learns from, with what it has learnt of these numbers in roll-outs. */
export interface NormalizationState {
  readonly settings: Normalization;
  /** A column for each number of an observation that is normalised; absent if observations are not. */
  readonly observations?: RunningStatistics;
  /** Statistics of the discounted return, one column or one for each agent; absent if rewards are not normalised. */
  readonly rewards?: RunningStatistics;
}

export interface AgentState {
  /** Name in the algorithm registry ("DQN", "PPO"). */
  readonly algorithm: string;
  /** Identity, unique in a run. */
  readonly index: number;
  /** Identity of the member that it was cloned from; `null` in the first generation. */
  readonly parent: number | null;
  /** Every field of the algorithm's spec, apart from schedules that are constant. */
  readonly hyperparameters: Readonly<Record<string, number | boolean | string | null>>;
  readonly networks: Readonly<Record<string, NetworkState>>;
  /** The algorithm's own parameters; absent when it has none. */
  readonly parameters?: Readonly<Record<string, ParameterState>>;
  readonly optimizers: Readonly<Record<string, OptimizerState>>;
  /** Absent for an agent that takes observations and rewards as they are. */
  readonly normalization?: NormalizationState;
  /** Fitness of the last 100 evaluations, oldest first. */
  readonly fitness: readonly number[];
  /**
   * For several agents: fitness of each in the last evaluation, by id. Absent for a single agent and before
   * the first evaluation.
   */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  /** Environment steps taken. */
  readonly steps: number;
  /** Environment steps counted toward the next learning step (off-policy). */
  readonly learn_credit: number;
  /** Label of the last mutation ("None", "param", "act", a hyperparameter, a method). */
  readonly mut: string;
}

const noStatistics = (size: number): RunningStatistics => ({
  count: new Float32Array(size),
  mean: new Float32Array(size),
  variance: new Float32Array(size),
});

/** What an agent's statistics are before its first roll-out. */
export function freshNormalization(settings: Normalization, spaces: AgentSpaces): NormalizationState {
  const sizes = statisticsSizes(spaces);
  return {
    settings,
    ...(settings.observations &&
      sizes.observations > 0 && { observations: noStatistics(sizes.observations) }),
    ...(settings.rewards && { rewards: noStatistics(sizes.rewards) }),
  };
}

/** The same normalisation with each array replaced. */
export function mapStatistics(
  { settings, observations, rewards }: NormalizationState,
  change: (
    values: Float32Array,
    of: "observations" | "rewards",
    part: keyof RunningStatistics,
  ) => Float32Array,
): NormalizationState {
  const changed = (all: RunningStatistics, of: "observations" | "rewards"): RunningStatistics => ({
    count: change(all.count, of, "count"),
    mean: change(all.mean, of, "mean"),
    variance: change(all.variance, of, "variance"),
    ...(all.outliers && { outliers: change(all.outliers, of, "outliers") }),
  });
  return {
    settings,
    ...(observations && { observations: changed(observations, "observations") }),
    ...(rewards && { rewards: changed(rewards, "rewards") }),
  };
}

/**
 * Recurrent state, [num_envs, width] each, by name ("actor.encoder.h0"); empty if no network is recurrent.
 */
export type HiddenState = Readonly<Record<string, Float32Array>>;

/** Widths of the recurrent state of an agent's networks, by name; empty if no network is recurrent. */
export const hiddenSizes = ({ networks }: Pick<AgentState, "networks">): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(networks).flatMap(([network, { data }]) =>
      networkMemory(data).map(({ name, size }) => [`${network}.${name}`, size]),
    ),
  );

/** The recurrent state before an episode's first step: zeros. */
export const emptyHiddenState = (agent: Pick<AgentState, "networks">, num_envs: number): HiddenState =>
  Object.fromEntries(
    Object.entries(hiddenSizes(agent)).map(([name, width]) => [name, new Float32Array(num_envs * width)]),
  );

/** A copy with zeros for lanes whose episodes ended (1 in `done` [num_envs]). */
export const withoutEnded = (hidden: HiddenState, done: ArrayLike<number>): HiddenState =>
  Object.fromEntries(
    Object.entries(hidden).map(([name, values]) => {
      const width = values.length / done.length;
      return [name, values.map((value, i) => (done[Math.floor(i / width)] ? 0 : value))];
    }),
  );

/** @throws RangeError naming the part that is missing or has another length. */
export function requireHiddenState(
  agent: Pick<AgentState, "networks">,
  num_envs: number,
  hidden: HiddenState,
): void {
  for (const [name, width] of Object.entries(hiddenSizes(agent))) {
    const found = hidden[name]?.length ?? 0;
    if (found !== num_envs * width)
      throw new RangeError(`hidden_state.${name}: found ${found} numbers, allowed ${num_envs * width}`);
  }
}
