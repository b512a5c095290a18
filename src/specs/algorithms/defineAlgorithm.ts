import { z } from "zod";
import type { RLHyperparameter } from "../MutationSpec.ts";
import { parseSpec } from "../parseSpec.ts";

/** An algorithm's section as it was given, before any field is checked. */
export type RawAlgorithm = Readonly<Record<string, unknown>>;

/** A range to search, with the scale on which values are drawn and moved. */
export type SearchRange = Omit<z.input<typeof RLHyperparameter>, "initial"> & {
  /** A field beside which this one has no effect, so it is not searched where that is given. */
  readonly unless?: string;
};

/** What the specs know about an algorithm in addition to its fields. */
export interface AlgorithmDefinition<S extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly schema: S;
  /** Other accepted names of this algorithm. */
  readonly other_names: readonly string[];
  /** Applies what a name or another key implies, before fields are checked; null if nothing is implied. */
  readonly prepare: ((raw: RawAlgorithm, context: z.core.$RefinementCtx) => RawAlgorithm) | null;
  /** False for algorithms that this build validates but does not train yet. */
  readonly runs: boolean;
  /** Unknown to AgileRL, whose manifests cannot name it. */
  readonly rlkit_only: boolean;
  /** Learns from a replay buffer while acting. */
  readonly off_policy: boolean;
  /** Learns from fresh rollouts only. */
  readonly on_policy: boolean;
  /** Learns from the returns of perturbed copies of its policy, over whole episodes. */
  readonly evolution_strategy: boolean;
  /** Learns from a dataset. */
  readonly offline: boolean;
  /** Learns a contextual bandit. */
  readonly bandit: boolean;
  /** Can sample its replay buffer by priority. */
  readonly prioritised: boolean;
  readonly multi_agent: boolean;
  readonly language_model: boolean;
  /**
   * Names of the metrics that learning reports, for algorithms of language models; null where the mathematics
   * lists them.
   */
  readonly metrics: readonly string[] | null;
  /** Learning objective of the dataset, for algorithms that learn from labelled rows. */
  readonly objective: "preference" | "unpaired" | "sft" | null;
  /** Explores by random actions with the probability of training.eps_*. */
  readonly epsilon_greedy: boolean;
  /** The policy samples its actions, so its network may have squash_output. */
  readonly stochastic_actor: boolean;
  /** Environment kinds it trains in; the first one is implied when a manifest names none. */
  readonly env_types: readonly string[];
  /** Steps between evolution rounds when training.evo_steps is unset. */
  readonly evo_steps: number;
  /** Fields that mutate when neither hp_config nor mutation.rl_hp_selection is given. */
  readonly default_hp: readonly string[];
  /**
   * Ranges that `hpo` searches, by field, which do not depend on the given values; null for ranges around
   * those.
   */
  readonly search: Readonly<Record<string, SearchRange>> | null;
  /** Acts greedily on learned values, which noise on weights changes everywhere. */
  readonly value_based: boolean;
  /** The field that holds the number of parallel environments, if it has one. */
  readonly num_envs_field: string | null;
  /** The field that holds the steps of a return, which an n-step replay buffer sums, if it has one. */
  readonly n_step_field: string | null;
  /** Head of the value network if the network section gives no head; `null` without a value network. */
  readonly critic_head: readonly number[] | null;
}

type Own = "name" | "title" | "schema";

const DEFAULTS = {
  other_names: [],
  prepare: null,
  runs: true,
  rlkit_only: false,
  off_policy: false,
  on_policy: false,
  evolution_strategy: false,
  offline: false,
  bandit: false,
  prioritised: false,
  multi_agent: false,
  language_model: false,
  metrics: null,
  objective: null,
  epsilon_greedy: false,
  stochastic_actor: false,
  env_types: ["gym"],
  evo_steps: 10_000,
  default_hp: ["lr", "batch_size", "learn_step"],
  search: null,
  value_based: false,
  num_envs_field: null,
  n_step_field: null,
  critic_head: null,
} as const satisfies Omit<AlgorithmDefinition, Own>;

type Given = Pick<AlgorithmDefinition, Own> & Partial<Omit<AlgorithmDefinition, Own>>;

/** A definition completed with the defaults. */
export type Defined<G> = G & Omit<typeof DEFAULTS, keyof G>;

/**
 * Completes an algorithm's definition with shared defaults. The result's type keeps the name and the
 * switches.
 *
 * @example
 * ```ts
 * import { z } from "zod";
 *
 * const definition = defineAlgorithm({
 *   name: "HillClimbing",
 *   title: "Hill climbing",
 *   schema: z.strictObject({ name: z.literal("HillClimbing").default("HillClimbing"), stride: z.number().default(0.1) }),
 * });
 * registerAlgorithmSpec(definition);
 * ```
 */
export const defineAlgorithm = <const G extends Given>(given: G): Defined<G> => ({
  ...DEFAULTS,
  ...given,
});

/**
 * Parses an algorithm's section by its definition, with what the given keys imply.
 *
 * @throws {@link SpecError} naming invalid fields.
 * @internal
 */
export const parseFields = <S extends z.ZodObject>(
  { name, prepare, schema }: AlgorithmDefinition<S>,
  fields: RawAlgorithm,
): z.output<S> =>
  parseSpec(
    z.preprocess((raw: RawAlgorithm, context) => ({ ...(prepare?.(raw, context) ?? raw), name }), schema),
    fields,
    "algorithm",
  );
