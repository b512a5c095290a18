/**
 * A network as plain data: an encoder (observation to latent vector) and a head (latent vector to outputs).
 */
import type { ModuleData } from "../modules/moduleData.ts";
import { isWhole } from "../spaces/boxScale.ts";
import type { Box } from "../spaces.ts";

/** The action distribution of a stochastic actor; the head's outputs are its parameters. */
export type DistributionData =
  | { readonly kind: "categorical"; readonly actions: number }
  /** Independent choices, one per entry; the outputs are their concatenated logits. */
  | { readonly kind: "multi_categorical"; readonly nvec: readonly number[] }
  /** Independent bits; the outputs are their logits. */
  | { readonly kind: "bernoulli"; readonly n: number }
  | {
      /** Diagonal Gaussian with a learned standard deviation that does not depend on the state. */
      readonly kind: "normal";
      readonly size: number;
      /** Logarithm of the initial standard deviation. */
      readonly log_std_init: number;
      /** Whether samples go through tanh. */
      readonly squash_output: boolean;
    }
  /** tanh of a diagonal Gaussian; the outputs are means, then logarithms of standard deviations. */
  | { readonly kind: "squashed_normal"; readonly size: number };

export const NETWORK_KINDS = [
  /** Observation to one Q value per action. */
  "q",
  /** Observation to logits of each action's return, actions x atoms. */
  "rainbow_q",
  /** Observation and continuous action to a Q value. */
  "continuous_q",
  /** Observations and actions of several agents, concatenated before the first layer, to a Q value. */
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
   * observation itself (a user-defined module).
   */
  readonly encoder: ModuleData | "shared" | null;
  /** Width of the latent vector, or of the observation if there is no encoder. */
  readonly latent_dim: number;
  readonly min_latent_dim: number;
  readonly max_latent_dim: number;
  /** Reads the latent vector and, in a continuous Q network, the action after it. */
  readonly head: ModuleData;
  /** The action distribution of a stochastic actor; null for other networks. */
  readonly distribution: DistributionData | null;
  /**
   * An actor's actions in a Box: "each" if numbers are scaled each for itself, and integers rounded (see
   * spaces/boxScale.ts). Absent if that makes no difference, and in files from before numbers were: there, an
   * infinite bound keeps all numbers on their scale.
   */
  readonly box_actions?: "each" | undefined;
  /** Atoms of each action's return, if the head lacks them: a Rainbow network with a user-defined module. */
  readonly num_atoms?: number | undefined;
}

/** Outputs per action: the number of atoms of its return in Rainbow's networks, otherwise 1. */
export const atomsOf = ({ head, num_atoms }: NetworkData): number =>
  head.kind === "dueling" ? head.num_atoms : (num_atoms ?? 1);

/** Whether the environment gets integers from an actor's actions in the space. */
export const isRounded = (space: Box, { box_actions }: Pick<NetworkData, "box_actions">): boolean =>
  isWhole(space) && box_actions === "each";

/** How many numbers of the action the head reads after the latent vector. */
export const actionInputs = ({ head, latent_dim }: NetworkData): number => head.inputs - latent_dim;

/** Whether the network reads actions besides observations. */
export const readsActions = ({ kind }: NetworkData): boolean => kind === "continuous_q" || kind === "joint_q";

/** How many numbers of actions the encoder or head reads, besides an observation of `observed` numbers. */
export function actionsBeside(data: NetworkData, observed: number): number {
  const { kind, encoder } = data;
  const isJoint = kind === "joint_q" && encoder !== null && encoder !== "shared";
  return isJoint ? encoder.inputs - observed : actionInputs(data);
}

/** Weights by tensor name, row-major. Weight matrices are [in, out] here and [out, in] in files. */
export type Tensors = Record<string, Float32Array>;

/** A network with its weights, as plain data. */
export interface NetworkState {
  readonly data: NetworkData;
  readonly tensors: Tensors;
}
