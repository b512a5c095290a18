/** A network as plain data: encoder (observation to latent vector), head (latent vector to outputs). */
import type { ModuleData } from "../modules/moduleData.ts";

/** The action distribution of a stochastic actor; the head's outputs are its parameters. */
export type DistributionData =
  | { readonly kind: "categorical"; readonly actions: number }
  /** Independent choices, one for each entry; the outputs are their logits side by side. */
  | { readonly kind: "multi_categorical"; readonly nvec: readonly number[] }
  /** Independent bits; the outputs are their logits. */
  | { readonly kind: "bernoulli"; readonly n: number }
  | {
      /** Diagonal Gaussian with a learned standard deviation that does not depend on the state. */
      readonly kind: "normal";
      readonly size: number;
      /** Logarithm of the initial standard deviation. */
      readonly log_std_init: number;
      /** Samples go through tanh. */
      readonly squash_output: boolean;
    }
  /** tanh of a diagonal Gaussian; the outputs are its means, then the logarithms of its standard deviations. */
  | { readonly kind: "squashed_normal"; readonly size: number };

export const NETWORK_KINDS = [
  /** Observation to one Q value per action. */
  "q",
  /** Observation to logits of each action's return, actions x atoms. */
  "rainbow_q",
  /** Observation and continuous action to a Q value. */
  "continuous_q",
  /** Observations and actions of several agents, side by side from the first layer, to a Q value. */
  "joint_q",
  /** Observation to its value. */
  "value",
  /** Observation to the parameters of a distribution of actions. */
  "stochastic_actor",
  /** Observation to a continuous action. */
  "deterministic_actor",
] as const;

export interface NetworkData {
  readonly kind: (typeof NETWORK_KINDS)[number];
  /**
   * "shared": the head reads the latent vector of the policy's encoder. Null: the head reads the
   * observation itself (a caller's own module).
   */
  readonly encoder: ModuleData | "shared" | null;
  /** Width of what the head reads of the observation. */
  readonly latent_dim: number;
  readonly min_latent_dim: number;
  readonly max_latent_dim: number;
  /** Its inputs are the latent vector and, of a continuous Q network, the action behind it. */
  readonly head: ModuleData;
  /** Only stochastic actors have one. */
  readonly distribution: DistributionData | null;
  /** Atoms of each action's return where the head does not say them: a Rainbow network that is a caller's own module. */
  readonly num_atoms?: number | undefined;
}

/** Outputs that belong to one action: the atoms of its return; 1 but in Rainbow's networks. */
export const atomsOf = ({ head, num_atoms }: NetworkData): number =>
  head.kind === "dueling" ? head.num_atoms : (num_atoms ?? 1);

/** Numbers of the action that the head reads behind the latent vector. */
export const actionInputs = ({ head, latent_dim }: NetworkData): number => head.inputs - latent_dim;

/** Whether it reads actions beside observations. */
export const readsActions = ({ kind }: NetworkData): boolean => kind === "continuous_q" || kind === "joint_q";

/** Numbers of the actions that it reads, wherever it reads them, beside an observation of `observed` numbers. */
export function actionsBeside(data: NetworkData, observed: number): number {
  const { kind, encoder } = data;
  const isJoint = kind === "joint_q" && encoder !== null && encoder !== "shared";
  return isJoint ? encoder.inputs - observed : actionInputs(data);
}
