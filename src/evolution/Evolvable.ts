import type { Activation } from "../specs/networks.ts";
import type { HyperparameterChoice } from "../specs/sections.ts";
import type { HyperparameterConfig, HyperparameterValue } from "./HyperparameterConfig.ts";
import type { DrawKey } from "./random.ts";

/** Label of a mutation that changed nothing. */
export const NO_MUTATION = "None";

/**
 * The part of a population member that selection and mutation use. Mutations change the member in place and
 * return the label shown in the lineage, or NO_MUTATION when the member cannot change in that way.
 */
export interface Evolvable<Self> {
  /** Identity, unique in a run. */
  readonly index: number;
  /** Identity of the member it was cloned from. */
  readonly parent: number | null;
  /** Label of the last mutation. */
  mut: string;
  /** Evaluations, oldest first. */
  readonly fitness: readonly number[];
  readonly hyperparameters: Readonly<Record<string, HyperparameterValue>>;
  /** Hyperparameters that may mutate; null if there are none. */
  readonly hp_config: HyperparameterConfig | null;
  setHyperparameter(name: string, value: HyperparameterChoice): void;
  /** A deep copy with this member as its parent. `index` defaults to this member's own. */
  clone(index?: number): Self;
  /** Changes the policy's architecture and makes the same change in the networks that accompany it. */
  mutateArchitecture(options: { readonly new_layer_prob: number; readonly key: DrawKey }): string;
  /** Adds noise to some of the policy's weights. */
  mutateParameters(options: { readonly mutation_sd: number; readonly key: DrawKey }): string;
  /** Changes the hidden activation of all networks. */
  mutateActivation(options: {
    readonly activation_selection: readonly Activation[];
    readonly key: DrawKey;
  }): string;
}
