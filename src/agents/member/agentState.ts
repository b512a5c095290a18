/**
 * A member of a population as plain data, which is sent to workers, evolved and saved, and the recurrent state of its
 * networks for each environment.
 */
import { type NetworkState, networkMemory, type Tensors } from "../../rl/networks.ts";

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
