import type { z } from "zod";

/** An algorithm's section as it was given, before any field is checked. */
export type RawAlgorithm = Readonly<Record<string, unknown>>;

/** What the specs know about an algorithm beside its fields. */
export interface AlgorithmDefinition<S extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly schema: S;
  /** Other names that are read, and mean this algorithm. */
  readonly other_names: readonly string[];
  /** Resolves what a name or another key implies, before fields are checked; null where nothing does. */
  readonly prepare: ((raw: RawAlgorithm, context: z.core.$RefinementCtx) => RawAlgorithm) | null;
  /** False for algorithms that validate already and that this build does not train yet. */
  readonly runs: boolean;
  /** Unknown to the Python relative, whose manifests cannot name it. */
  readonly rlkit_only: boolean;
  /** Learns from a replay buffer while acting. */
  readonly off_policy: boolean;
  /** Learns from fresh roll-outs only. */
  readonly on_policy: boolean;
  /** Learns from a dataset. */
  readonly offline: boolean;
  /** Learns a contextual bandit. */
  readonly bandit: boolean;
  /** Can sample its replay buffer by priority. */
  readonly prioritised: boolean;
  readonly multi_agent: boolean;
  readonly language_model: boolean;
  /** What a dataset teaches, for algorithms that learn from labelled rows. */
  readonly objective: "preference" | "sft" | null;
  /** Explores by random actions with the probability of training.eps_*. */
  readonly epsilon_greedy: boolean;
  /** The policy samples its actions, so its network may have squash_output. */
  readonly stochastic_actor: boolean;
  /** Environment kinds it trains in; the first one is implied when a manifest names none. */
  readonly env_types: readonly string[];
  /** Steps between evolution rounds when training.evo_steps is unset. */
  readonly evo_steps: number;
  /** Fields that mutate when neither hp_config nor mutation.rl_hp_selection says. */
  readonly default_hp: readonly string[];
  /** The field that holds the number of parallel environments, if it has one. */
  readonly num_envs_field: string | null;
  /** Head of the value network where the network section gives no head; `null` without value network. */
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
  offline: false,
  bandit: false,
  prioritised: false,
  multi_agent: false,
  language_model: false,
  objective: null,
  epsilon_greedy: false,
  stochastic_actor: false,
  env_types: ["gym"],
  evo_steps: 10_000,
  default_hp: ["lr", "batch_size", "learn_step"],
  num_envs_field: null,
  critic_head: null,
} as const satisfies Omit<AlgorithmDefinition, Own>;

type Given = Pick<AlgorithmDefinition, Own> & Partial<Omit<AlgorithmDefinition, Own>>;

/** A definition with what it leaves to the defaults. */
export type Defined<G> = G & Omit<typeof DEFAULTS, keyof G>;

/**
 * Completes an algorithm's definition with what most algorithms share. Its type knows the name and the switches.
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
