/** Algorithms that learn from roll-outs of their present policy. */
import type { Tensor } from "../../kernels/index.ts";
import type { AgentSpaces } from "../spaces/index.ts";
import {
  type ActionKind,
  type AlgorithmBase,
  completed,
  type Definition,
  type Draws,
  type Learned,
  type ParameterValues,
} from "./definition.ts";
import type { Hyperparameters } from "./hyperparameters.ts";
import type { Latents, Networks } from "./networks.ts";

/** What a roll-out keeps of each action. */
export interface Sample {
  /** As the policy drew it: i32 [n] of a Discrete space, else [n, numbers], f32 of a Box and i32 elsewhere. */
  readonly action: Tensor;
  /** As the environment takes it. */
  readonly applied: Tensor;
  /** [n]; of several agents [n, agents], like all that a roll-out has of each agent. */
  readonly log_prob: Tensor;
}

/** A minibatch of a roll-out. */
export interface RolloutBatch<N extends string = string> {
  readonly latents: Latents<N>;
  readonly action: Tensor;
  readonly log_prob: Tensor;
  readonly advantage: Tensor;
  readonly returns: Tensor;
  /** 1 for rows that count; minibatches may be filled up. */
  readonly weight: Tensor;
  /** Of several agents: 1 for those that took part in the step, [batch, agents]. */
  readonly present?: Tensor;
  /** 1 for choices that were legal, [batch, choices]; all of them unless given. */
  readonly mask?: Tensor;
}

/** What is told of a roll-out before it is learned from. */
export interface RolloutReport {
  /** Names of what it gives. */
  readonly metrics: readonly string[];
  /** `values` and `returns` [rows, ...]: what each state was thought worth, and the return that is learned. */
  readonly of: (
    values: Tensor,
    returns: Tensor,
    spaces: AgentSpaces,
    present?: Tensor,
  ) => Readonly<Record<string, Tensor>>;
}

/** `mask` [n, choices]: 1 for what is legal, all of it unless given. Whoever runs it encodes observations, for only they know of memory. */
interface OnPolicyPart<N extends string, P extends string, Q extends string> {
  readonly act: (
    networks: Networks<N>,
    latents: Latents<N>,
    draws: Draws,
    spaces: AgentSpaces,
    mask?: Tensor,
  ) => Sample;
  readonly greedy: (networks: Networks<P>, latents: Latents<P>, spaces: AgentSpaces, mask?: Tensor) => Tensor;
  /** [n]. */
  readonly value: (networks: Networks<N>, latents: Latents<N>, spaces: AgentSpaces) => Tensor;
  /** What a network reads of network inputs [n, inputs]; all of them unless given. */
  readonly inputOf?: (network: string, inputs: Tensor, spaces: AgentSpaces) => Tensor;
  /** Advantages [rows, ...] as the losses take them, over a whole roll-out. `present` as in {@link RolloutBatch}. */
  readonly normalised?: (advantage: Tensor, spaces: AgentSpaces, present?: Tensor) => Tensor;
  /** Metrics of whole roll-outs, beside those of learning steps; none unless given. */
  readonly rollout?: RolloutReport;
  /**
   * A loss for every optimiser. Losses, metrics and `kl` are means over the rows that count, of which there is one at
   * least: a minibatch may be learned in slices, whose means are averaged by how many such rows they have. `kl`, how far
   * the policy has moved, is a number, of several agents one for each key [keys].
   */
  readonly learn: (
    networks: Networks<N>,
    batch: RolloutBatch<N>,
    hyperparameters: Hyperparameters,
    parameters: ParameterValues<Q>,
    spaces: AgentSpaces,
  ) => Learned & { readonly kl: Tensor };
}

/** An on-policy algorithm, for those who know none by name. */
export interface OnPolicyAlgorithm extends AlgorithmBase, OnPolicyPart<string, string, string> {
  readonly kind: "on_policy";
}

/** What of an on-policy algorithm is in the types of its agents. */
export interface OnPolicyTypes<Name extends string, K extends ActionKind> {
  readonly name: Name;
  readonly actions: readonly K[];
}

/** Completes the definition of an on-policy algorithm; the names in it are checked. */
export function defineOnPolicy<
  const Name extends string,
  const K extends ActionKind,
  N extends string,
  P extends N,
  Q extends string = never,
>(
  definition: Definition<Name, K, N, P, Q> & OnPolicyPart<NoInfer<N>, NoInfer<P>, NoInfer<Q>>,
): OnPolicyAlgorithm & OnPolicyTypes<Name, K> {
  const made = { ...definition, ...completed(definition), kind: "on_policy" as const };
  // Whoever runs it reads all networks and parameters by the names that it gave itself.
  return made as unknown as OnPolicyAlgorithm & OnPolicyTypes<Name, K>;
}
