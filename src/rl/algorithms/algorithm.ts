/** What an algorithm is: its networks, how it acts, what it learns from. One file per algorithm. */
import type { Tensor } from "../../kernels/index.ts";
import type { ResolvedNetwork } from "../../specs/index.ts";
import type { NetworkData } from "../networks/networkData.ts";
import type { Network } from "../programs/network.ts";
import type { Space } from "../spaces/index.ts";

export type Hyperparameters = Readonly<Record<string, number | boolean | string | null>>;

/** What networks are built from. */
export interface NetworkContext {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly network: ResolvedNetwork;
  readonly hyperparameters: Hyperparameters;
}

export interface OptimizerDefinition {
  readonly networks: readonly string[];
  /** Hyperparameter that holds the learning rate. */
  readonly lr: string;
  /** Hyperparameter that limits the gradient's norm, for each network by itself. */
  readonly max_grad_norm?: string;
}

interface AlgorithmBase {
  /** Name in the registry of specs. */
  readonly name: string;
  /** @throws SpecError when the spaces do not suit the algorithm. */
  readonly networks: (context: NetworkContext) => Readonly<Record<string, NetworkData>>;
  /** Networks that trail another one, by name. */
  readonly targets: Readonly<Record<string, string>>;
  /** Networks that use the latent vector of another one's encoder when their own is "shared". */
  readonly sharesEncoder: Readonly<Record<string, string>>;
  /** The network that acts and whose architecture is mutated first. */
  readonly policy: string;
  readonly optimizers: Readonly<Record<string, OptimizerDefinition>>;
  /** Names of the metrics that learn() reports, averaged over learning steps. */
  readonly metrics: readonly string[];
  /** Whether another activation keeps the algorithm sound (algorithms.md 2.5). */
  readonly activationMutation: boolean;
  /** Hyperparameters that shape programs instead of being data. */
  readonly structural: readonly string[];
  /** Hyperparameters that are counts. */
  readonly counts: readonly string[];
}

export type Networks = Readonly<Record<string, Network>>;

/** Four independent uniform vectors of one number per lane. */
export type Draws = readonly [Tensor, Tensor, Tensor, Tensor];

/** A batch of transitions. */
export interface Batch {
  /** [batch, ...observation]. */
  readonly obs: Tensor;
  /** i32 [batch] or f32 [batch, action]. */
  readonly action: Tensor;
  readonly reward: Tensor;
  readonly next_obs: Tensor;
  /** 1 where the task ended; a time limit is no end. */
  readonly done: Tensor;
}

export interface Learned {
  /** Loss by optimiser. */
  readonly losses: Readonly<Record<string, Tensor>>;
  readonly metrics: Readonly<Record<string, Tensor>>;
}

/** `mask` says which choices are legal: 1 = legal, [lanes, choices]; all of them unless given. */
export interface OffPolicyAlgorithm extends AlgorithmBase {
  readonly kind: "off_policy";
  readonly act: (
    networks: Networks,
    obs: Tensor,
    explore: { readonly epsilon: Tensor; readonly draws: Draws; readonly mask?: Tensor },
  ) => Tensor;
  readonly greedy: (networks: Networks, obs: Tensor, mask?: Tensor) => Tensor;
  readonly learn: (networks: Networks, batch: Batch, hyperparameters: Hyperparameters) => Learned;
}

/** What a roll-out keeps of each action. */
export interface Sample {
  /** As the policy drew it: i32 [n] or f32 [n, action]. */
  readonly action: Tensor;
  /** As the environment takes it. */
  readonly applied: Tensor;
  /** [n]. */
  readonly log_prob: Tensor;
}

/** A minibatch of a roll-out. */
export interface RolloutBatch {
  readonly obs: Tensor;
  readonly action: Tensor;
  readonly log_prob: Tensor;
  readonly advantage: Tensor;
  readonly returns: Tensor;
  /** 1 for rows that count; the last minibatch of an epoch may be filled up. */
  readonly weight: Tensor;
  /** 1 for choices that were legal, [batch, choices]; all of them unless given. */
  readonly mask?: Tensor;
}

/** `mask` as in {@link OffPolicyAlgorithm}. */
export interface OnPolicyAlgorithm extends AlgorithmBase {
  readonly kind: "on_policy";
  readonly act: (networks: Networks, obs: Tensor, draws: Draws, action_space: Space, mask?: Tensor) => Sample;
  readonly greedy: (networks: Networks, obs: Tensor, action_space: Space, mask?: Tensor) => Tensor;
  readonly value: (networks: Networks, obs: Tensor) => Tensor;
  readonly learn: (
    networks: Networks,
    batch: RolloutBatch,
    hyperparameters: Hyperparameters,
  ) => Learned & { readonly kl: Tensor };
}

export type Algorithm = OffPolicyAlgorithm | OnPolicyAlgorithm;

/** A hyperparameter that must be true or false. */
export const flag = (hyperparameters: Hyperparameters, name: string): boolean =>
  hyperparameters[name] === true;
