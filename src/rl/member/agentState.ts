/** A member of a population as plain data: what travels to workers, evolves, and is saved. */
import type { NetworkState, Tensors } from "../networks/networkState.ts";

export interface OptimizerState {
  /** Networks it trains, in order. */
  readonly networks: readonly string[];
  /** Parameters of the algorithm's own that it trains, in order; absent where it trains none. */
  readonly parameters?: readonly string[];
  /** Hyperparameter that holds its learning rate. */
  readonly lr: string;
  /** Adam steps taken. */
  readonly step: number;
  /** First and second moments by "<network>.<tensor>", of the algorithm's own parameters by "parameters.<name>". */
  readonly first: Tensors;
  readonly second: Tensors;
}

/** A tensor that the algorithm learns beside its networks. */
export interface ParameterState {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

export interface AgentState {
  /** Name in the algorithm registry ("DQN", "PPO"). */
  readonly algorithm: string;
  /** Identity, unique in a run. */
  readonly index: number;
  /** Identity of the member it was cloned from; null in the first generation. */
  readonly parent: number | null;
  /** Every field of the algorithm's spec. */
  readonly hyperparameters: Readonly<Record<string, number | boolean | string | null>>;
  readonly networks: Readonly<Record<string, NetworkState>>;
  /** The algorithm's own parameters; absent where it has none. */
  readonly parameters?: Readonly<Record<string, ParameterState>>;
  readonly optimizers: Readonly<Record<string, OptimizerState>>;
  /** Evaluations so far, oldest first, the last 100. */
  readonly fitness: readonly number[];
  /** The last evaluation of each of several agents, by id; absent for a single one and before the first. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  /** Environment steps taken. */
  readonly steps: number;
  /** Environment steps counted toward the next learning step (off-policy). */
  readonly learn_credit: number;
  /** Label of the last mutation ("None", "param", "act", a hyperparameter, a method). */
  readonly mut: string;
}
