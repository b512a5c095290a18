/** Algorithms that learn from rollouts of their current policy. */
import type { Tensor } from "../../kernels/index.ts";
import type { AlgorithmDefinition } from "../../specs/algorithms.ts";
import type { AgentSpaces } from "../spaces.ts";
import {
  type ActionKind,
  type AlgorithmBase,
  completed,
  type Definition,
  type Draws,
  type Learned,
  type ParameterValues,
} from "./definition.ts";
import type { EvolutionStrategy } from "./evolutionStrategy.ts";
import type { Hyperparameters, HyperparametersOf } from "./inputs.ts";
import type { Latents, Networks } from "./network.ts";
import type { OffPolicyAlgorithm } from "./offPolicy.ts";

/** The values that a rollout stores for each action. */
export interface Sample {
  /** The sampled action: i32 [n] for Discrete, otherwise [n, numbers], f32 for Box and i32 for others. */
  readonly action: Tensor;
  /** The action in the form that the environment expects. */
  readonly applied: Tensor;
  /** [n]; [n, agents] for several agents, like all per-agent values of a rollout. */
  readonly log_prob: Tensor;
}

/** A minibatch of a rollout. */
export interface RolloutBatch<N extends string = string> {
  readonly latents: Latents<N>;
  readonly action: Tensor;
  readonly log_prob: Tensor;
  readonly advantage: Tensor;
  readonly returns: Tensor;
  /** 1 for rows that count; minibatches may be padded. */
  readonly weight: Tensor;
  /** Multi-agent only: 1 for agents that took part in the step, [batch, agents]. */
  readonly present?: Tensor;
  /** 1 for choices that were legal, [batch, choices] (default: all legal). */
  readonly mask?: Tensor;
  /** What searches said of positions of a game, if the algorithm plays by search. */
  readonly searched?: SearchedPositions;
}

/** Positions of games that an agent played against itself, by tree search. `returns` is what the player to move got. */
export interface SearchedPositions {
  /** The search's improved policy, [batch, choices]. */
  readonly policy: Tensor;
  /** The search's value for the player to move, [batch]. */
  readonly value: Tensor;
  /** 1 where the game's end is known, [batch]; elsewhere `returns` is 0. */
  readonly known: Tensor;
}

/** How an agent searches in games that it plays against itself. */
export interface SelfPlay {
  readonly search: "puct" | "gumbel";
  /** Simulations of a move. */
  readonly simulations: number;
  /** Gumbel: most actions that are tried at the root. */
  readonly max_considered: number;
  /** Gumbel: how much values count against the policy. */
  readonly c_scale: number;
  readonly c_puct: number;
  /** PUCT: noise in the root's policy, and its share. */
  readonly dirichlet_alpha: number;
  readonly dirichlet_fraction: number;
  /** First moves of a game that are drawn in proportion to visits; later ones are the best by the search. */
  readonly sampled_moves: number;
}

/** Metrics of a rollout, computed before learning from it. */
export interface RolloutReport {
  /** Names of the metrics. */
  readonly metrics: readonly string[];
  /** `values` and `returns` [rows, ...]: the estimated value of each state, and the return that is learnt. */
  readonly of: (
    values: Tensor,
    returns: Tensor,
    spaces: AgentSpaces,
    present?: Tensor,
  ) => Readonly<Record<string, Tensor>>;
}

/**
 * The on-policy part of a definition. `mask` [n, choices]: 1 for legal choices (default: all legal). The
 * caller encodes observations, because only the caller has the recurrent state.
 */
interface OnPolicyPart<
  N extends string,
  P extends string,
  Q extends string,
  F extends Hyperparameters = Hyperparameters,
> {
  readonly act: (
    networks: Networks<N>,
    latents: Latents<N>,
    draws: Draws,
    spaces: AgentSpaces,
    mask?: Tensor,
  ) => Sample;
  readonly greedy: (networks: Networks<P>, latents: Latents<P>, spaces: AgentSpaces, mask?: Tensor) => Tensor;
  /** Log-probabilities of given actions, [n]. Algorithms without it cannot imitate demonstrations. */
  readonly logProb?: (
    networks: Networks<N>,
    latents: Latents<N>,
    action: Tensor,
    mask: Tensor | undefined,
  ) => Tensor;
  /** State values, [n]. */
  readonly value: (networks: Networks<N>, latents: Latents<N>, spaces: AgentSpaces) => Tensor;
  /** The part of the network inputs [n, inputs] that a network reads (default: all). */
  readonly inputOf?: (network: string, inputs: Tensor, spaces: AgentSpaces) => Tensor;
  /** Normalises a whole rollout's advantages [rows, ...]. `present`: see {@link RolloutBatch}. */
  readonly normalised?: (advantage: Tensor, spaces: AgentSpaces, present?: Tensor) => Tensor;
  /**
   * Plays games of two players against itself by tree search, and learns from what the searches say, instead of playing
   * by `act` (default: it does not). All its settings must be `structural`.
   */
  readonly selfPlay?: (hyperparameters: F) => SelfPlay;
  /** Metrics of whole rollouts, besides those of learning steps (default: none). */
  readonly rollout?: RolloutReport;
  /**
   * Returns a loss for every optimiser. Losses, metrics and `kl` must be means over the rows that count, of
   * which there is at least one. A minibatch may be learnt in slices, whose means are averaged with their
   * numbers of such rows as weights. `kl` measures how far the policy has moved: one number, or one per key
   * [keys] for several agents.
   */
  readonly learn: (
    networks: Networks<N>,
    batch: RolloutBatch<N>,
    hyperparameters: F,
    parameters: ParameterValues<Q>,
    spaces: AgentSpaces,
  ) => Learned & { readonly kl: Tensor };
}

/** An on-policy algorithm, for code that handles any algorithm. */
export interface OnPolicyAlgorithm extends AlgorithmBase, OnPolicyPart<string, string, string> {
  readonly kind: "on_policy";
}

/** The members of an on-policy algorithm that the types of its agents depend on. */
export interface OnPolicyTypes<Name extends string, K extends ActionKind> {
  readonly name: Name;
  readonly actions: readonly K[];
}

/** Completes the definition of an on-policy algorithm; the names in it are checked. */
export function defineOnPolicy<
  const S extends AlgorithmDefinition,
  const K extends ActionKind,
  N extends string,
  P extends N,
  Q extends string = never,
>(
  definition: Definition<S, K, N, P, Q> &
    OnPolicyPart<NoInfer<N>, NoInfer<P>, NoInfer<Q>, HyperparametersOf<NoInfer<S>>>,
): OnPolicyAlgorithm & OnPolicyTypes<S["name"], K> {
  const made = { ...definition, ...completed(definition), kind: "on_policy" as const };
  // Callers look up networks and parameters by the names in this definition, so the specific types hold.
  return made as unknown as OnPolicyAlgorithm & OnPolicyTypes<S["name"], K>;
}

/** An algorithm: its networks, how it acts, and how it learns. Each algorithm has its own file. */
export type Algorithm = OffPolicyAlgorithm | OnPolicyAlgorithm | EvolutionStrategy;
