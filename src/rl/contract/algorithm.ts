/** What an algorithm is: its networks, how it acts, what it learns from. One file per algorithm. */
import type { Tensor } from "../../kernels/index.ts";
import type { ResolvedNetwork } from "../../specs/index.ts";
import type { NetworkData } from "../networks/networkData.ts";
import type { Space } from "../spaces/index.ts";
import type { Network } from "./network.ts";

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
  /** Limit of the gradient's norm, for each network by itself: a number, or the hyperparameter that holds it. */
  readonly max_grad_norm?: string | number;
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
  /**
   * What greedy actions are chosen by, from the policy's latent vectors [n, latent]: rows of numbers by name, for
   * exported policies; nothing where it is the action itself.
   */
  readonly policyOutputs?: (networks: Networks, latent: Tensor) => Readonly<Record<string, Tensor>>;
}

export type Networks = Readonly<Record<string, Network>>;

/** Latent vectors [n, latent] of a network for the observations at hand, whether it has memory or not. */
export type Latents = (network: string) => Tensor;

/** `count` independent vectors of uniform numbers in [0, 1), one number per lane. */
export type Draws = (count: number) => readonly Tensor[];

/** What a transition's target is made of. */
export interface Outcome {
  /** Rewards of its steps together, the later ones discounted, [batch]. */
  readonly reward: Tensor;
  readonly next_obs: Tensor;
  /** 1 where the task ended; a time limit is no end. */
  readonly done: Tensor;
  /** What the value of `next_obs` counts for: gamma to the power of the number of steps, [batch]. */
  readonly discount: Tensor;
}

/** A batch of transitions, over as many steps as the memory says. */
export interface Batch extends Outcome {
  /** Network input, [batch, width]. */
  readonly obs: Tensor;
  /** i32 [batch] or f32 [batch, action]. */
  readonly action: Tensor;
  /** Number of each transition in the learning step's batch, u32 [batch]: what random numbers of a row go by. */
  readonly row: Tensor;
  /** The same transitions over a single step, where the memory gives several. */
  readonly one_step?: Outcome;
  /** Importance weights [batch], where the memory samples by priority. */
  readonly weight?: Tensor;
}

export interface Learned {
  /** Loss by optimiser. */
  readonly losses: Readonly<Record<string, Tensor>>;
  readonly metrics: Readonly<Record<string, Tensor>>;
  /** Error of each transition [batch], for a memory that samples by priority. */
  readonly priority?: Tensor;
}

/** What a policy explores with. */
export interface Exploration {
  readonly epsilon: Tensor;
  readonly draws: Draws;
  /** Whether learning is still being put off (`learning_delay`), bool scalar. */
  readonly waiting: Tensor;
  /** Vector steps of the turn before this one, i32 scalar. */
  readonly step: Tensor;
  /** Which choices are legal: 1 = legal, [lanes, choices]; all of them unless given. */
  readonly mask?: Tensor;
}

/** A part of learning that does not happen in every step, over the networks as the step left them. */
export interface DelayedLearning {
  /** Hyperparameter: learning steps from one time to the next. */
  readonly every: string;
  /** What of the algorithm's optimisers and metrics belongs to it. */
  readonly optimizers: readonly string[];
  readonly metrics: readonly string[];
  readonly learn: (networks: Networks, batch: Batch, hyperparameters: Hyperparameters) => Learned;
}

/** Off-policy algorithms act and learn with actions as their networks know them. */
export interface OffPolicyAlgorithm extends AlgorithmBase {
  readonly kind: "off_policy";
  readonly act: (
    networks: Networks,
    obs: Tensor,
    explore: Exploration,
    hyperparameters: Hyperparameters,
  ) => Tensor;
  /** `mask` as in {@link Exploration}. */
  readonly greedy: (networks: Networks, obs: Tensor, mask?: Tensor) => Tensor;
  /** An action of `act` or `greedy` as the environment takes it; choices are numbered its way unless given. */
  readonly applied?: (networks: Networks, action: Tensor, space: Space) => Tensor;
  /** Told which lanes' episodes ended (bool [lanes]), to begin their exploration anew. */
  readonly ended?: (done: Tensor, action_space: Space, hyperparameters: Hyperparameters) => void;
  /**
   * A loss for every optimiser that is not delayed. Losses and metrics are means over the batch, which may be learned in
   * slices, whose means are averaged by their size.
   */
  readonly learn: (networks: Networks, batch: Batch, hyperparameters: Hyperparameters) => Learned;
  /** Targets move with it, where there is one. */
  readonly delayed?: DelayedLearning;
}

/** What a roll-out keeps of each action. */
export interface Sample {
  /** As the policy drew it: i32 [n] of a Discrete space, else [n, numbers], f32 of a Box and i32 elsewhere. */
  readonly action: Tensor;
  /** As the environment takes it. */
  readonly applied: Tensor;
  /** [n]. */
  readonly log_prob: Tensor;
}

/** A minibatch of a roll-out. */
export interface RolloutBatch {
  readonly latents: Latents;
  readonly action: Tensor;
  readonly log_prob: Tensor;
  readonly advantage: Tensor;
  readonly returns: Tensor;
  /** 1 for rows that count; minibatches may be filled up. */
  readonly weight: Tensor;
  /** 1 for choices that were legal, [batch, choices]; all of them unless given. */
  readonly mask?: Tensor;
}

/** `mask` as in {@link Exploration}. Whoever runs it encodes observations, for only they know of memory. */
export interface OnPolicyAlgorithm extends AlgorithmBase {
  readonly kind: "on_policy";
  readonly act: (
    networks: Networks,
    latents: Latents,
    draws: Draws,
    action_space: Space,
    mask?: Tensor,
  ) => Sample;
  readonly greedy: (networks: Networks, latents: Latents, action_space: Space, mask?: Tensor) => Tensor;
  /** [n]. */
  readonly value: (networks: Networks, latents: Latents) => Tensor;
  /**
   * A loss for every optimiser. Losses, metrics and `kl` are means over the rows that count, of which there is one at
   * least: a minibatch may be learned in slices, whose means are averaged by how many such rows they have.
   */
  readonly learn: (
    networks: Networks,
    batch: RolloutBatch,
    hyperparameters: Hyperparameters,
  ) => Learned & { readonly kl: Tensor };
}

export type Algorithm = OffPolicyAlgorithm | OnPolicyAlgorithm;

/** @throws TypeError when the agent lacks the network. */
export function networkNamed(networks: Networks, name: string): Network {
  const found = networks[name];
  if (!found)
    throw new TypeError(`needs a network "${name}", found ${Object.keys(networks).join(", ") || "none"}`);
  return found;
}

/** A hyperparameter that must be true or false. */
export const flag = (hyperparameters: Hyperparameters, name: string): boolean =>
  hyperparameters[name] === true;
