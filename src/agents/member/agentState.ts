/** A member of a population as plain data, which is sent to workers, evolved and saved. */
import type { NetworkState, Tensors } from "../../rl/networks.ts";

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
  /** Every field of the algorithm's spec. */
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
