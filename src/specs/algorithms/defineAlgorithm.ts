import type { z } from "zod";

/** What the specs know about an algorithm beside its fields. */
export interface AlgorithmDefinition<S extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  schema: S;
  /** False for algorithms that validate already and that this build does not train yet. */
  runs: boolean;
  /** Learns from a replay buffer while acting. */
  off_policy: boolean;
  /** Learns from fresh roll-outs only. */
  on_policy: boolean;
  /** Learns from a dataset. */
  offline: boolean;
  /** Learns a contextual bandit. */
  bandit: boolean;
  /** Can sample its replay buffer by priority. */
  prioritised: boolean;
  multi_agent: boolean;
  language_model: boolean;
  /** What a dataset teaches, for algorithms that learn from labelled rows. */
  objective: "preference" | "sft" | null;
  /** Explores by random actions with the probability of training.eps_*. */
  epsilon_greedy: boolean;
  /** The policy samples its actions, so its network may have squash_output. */
  stochastic_actor: boolean;
  /** Environment kinds it trains in; the first one is implied when a manifest names none. */
  env_types: readonly string[];
  /** Steps between evolution rounds when training.evo_steps is unset. */
  evo_steps: number;
  /** Fields that mutate when neither hp_config nor mutation.rl_hp_selection says. */
  default_hp: readonly string[];
  /** The field that holds the number of parallel environments, if it has one. */
  num_envs_field: string | null;
  /** Head of the value network where the network section gives no head; `null` without value network. */
  critic_head: readonly number[] | null;
}

type Given<S extends z.ZodObject> = Pick<AlgorithmDefinition<S>, "name" | "title" | "schema"> &
  Partial<AlgorithmDefinition<S>>;

/** Completes an algorithm's definition with what most algorithms share. */
export function defineAlgorithm<S extends z.ZodObject>(given: Given<S>): AlgorithmDefinition<S> {
  return {
    runs: true,
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
    ...given,
  };
}
