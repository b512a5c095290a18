/**
 * Algorithms that learn from the returns of perturbed copies of their policy, without gradients. What they share with
 * each other is in `programs/evolution.ts`; a definition says what the policy is.
 */
import { STRATEGY_METRICS } from "../../evolution/members.ts";
import type { Tensor } from "../../kernels/index.ts";
import type { AlgorithmDefinition } from "../../specs/algorithms.ts";
import type { AgentSpaces } from "../spaces.ts";
import { type ActionKind, type AlgorithmBase, completed, type Definition, type Draws } from "./definition.ts";
import type { Latents, Networks } from "./network.ts";

/** Metrics of an iteration. */
export const EVOLUTION_METRICS = [...STRATEGY_METRICS, "update_norm", "update_cosine"] as const;

/** The part of a definition that only evolution strategies have. */
interface EvolutionPart<P extends string> {
  /**
   * Actions in the form that the environment expects, [n, ...]. The caller encodes observations, because only the caller
   * has the recurrent state. `mask` [n, choices]: 1 for legal choices (default: all legal). With `draws`, actions may be
   * sampled.
   */
  readonly greedy: (
    networks: Networks<P>,
    latents: Latents<P>,
    spaces: AgentSpaces,
    mask?: Tensor,
    draws?: Draws,
  ) => Tensor;
}

/** An evolution strategy, for code that handles any algorithm. */
export interface EvolutionStrategy extends AlgorithmBase, EvolutionPart<string> {
  readonly kind: "evolution";
}

/** The members of an evolution strategy that the types of its agents depend on. */
export interface EvolutionTypes<Name extends string, K extends ActionKind> {
  readonly name: Name;
  readonly actions: readonly K[];
}

/** Completes the definition of an evolution strategy; the names in it are checked. */
export function defineEvolutionStrategy<
  const S extends AlgorithmDefinition,
  const K extends ActionKind,
  N extends string,
  P extends N,
>(
  definition: Definition<S, K, N, P, never> & EvolutionPart<NoInfer<P>>,
): EvolutionStrategy & EvolutionTypes<S["name"], K> {
  const made = { ...definition, ...completed(definition), kind: "evolution" as const };
  // Callers look up networks by the names in this definition, so the specific types hold.
  return made as unknown as EvolutionStrategy & EvolutionTypes<S["name"], K>;
}
