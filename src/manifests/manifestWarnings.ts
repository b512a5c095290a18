/** Settings of a valid manifest that are probably not intended. */

import { evolvesAlone, selectionDefinition } from "../evolution/selections.ts";
import { policyGradientShape } from "../rl/definitions.ts";
import { explorationNoiseShape, outsideRange } from "../specs/algorithms.ts";
import { fieldsSet } from "../specs/checks.ts";
import { MutationSpec, TrainingSpec } from "../specs/sections.ts";
import { evolutionSections } from "./hpoSections.ts";
import { algorithmDefinition } from "./registry.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

/** Environments whose reward little noise does not find, and the drifting noise needed. */
const NEEDED: ReadonlyMap<string, number> = new Map([["MountainCarContinuous-v0", 0.5]]);

/**
 * Environments in which PPO's default entropy bonus ends exploration too early, with what is needed
 * (docs/decisions/2026-11-26-toy-text.md).
 */
const ENTROPY: ReadonlyMap<string, { readonly ent_coef: number; readonly lr: number }> = new Map([
  ["CliffWalking-v1", { ent_coef: 0.1, lr: 0.001 }],
]);
const DEFAULT_ENTROPY = policyGradientShape.ent_coef.parse(undefined);

const DEFAULT_RATIO = TrainingSpec.out.shape.max_replay_ratio.parse(undefined);
const DEFAULT = explorationNoiseShape.expl_noise.parse(undefined);

interface ExplorationWarning {
  /** The hyperparameter that the warning is about. */
  readonly field: "expl_noise" | "O_U_noise" | "ent_coef";
  readonly message: string;
}

/**
 * Why an agent probably explores too little to learn in an environment; null if nothing suggests so.
 * @param environment Id of the environment.
 * @param values Hyperparameters of the agents. Not all algorithms have noise or an entropy bonus.
 */
export function explorationWarning(
  environment: string,
  values: Readonly<Record<string, unknown>>,
): ExplorationWarning | null {
  const entropy = ENTROPY.get(environment);
  if (entropy && values.ent_coef === DEFAULT_ENTROPY) {
    const advice = `agents of ${environment} learn with ent_coef: ${entropy.ent_coef} and lr: ${entropy.lr}, and otherwise mostly stop exploring before they find the goal`;
    return { field: "ent_coef", message: `is ${DEFAULT_ENTROPY}, the default: ${advice}` };
  }
  const needed = NEEDED.get(environment);
  const { expl_noise, O_U_noise } = values;
  if (needed === undefined || expl_noise === undefined) return null;
  const advice = `agents of ${environment} learn with drifting noise of ${needed} (expl_noise: ${needed}, O_U_noise: true), and hardly ever find its reward otherwise`;
  if (expl_noise === DEFAULT)
    return { field: "expl_noise", message: `is ${DEFAULT}, the default: ${advice}` };
  if (O_U_noise === false) return { field: "O_U_noise", message: `is false: ${advice}` };
  return null;
}

/** A valid setting in a manifest that is probably not intended. */
export interface ManifestWarning {
  path: string;
  message: string;
}

/** Initial values of hyperparameters outside the ranges in which they mutate. */
export function rangeWarnings({ algorithm, mutation }: TrainingManifest): ManifestWarning[] {
  const values: Record<string, unknown> = { ...algorithm };
  return Object.entries(mutation?.rl_hp_selection ?? {}).flatMap(([name, range]) => {
    const message = outsideRange(values[name], range);
    return message === null ? [] : [{ path: `algorithm.${name}`, message }];
  });
}

/** Finds settings of a valid manifest that have no effect, or probably not the intended one. */
export function manifestWarnings(manifest: TrainingManifest): ManifestWarning[] {
  const { algorithm, environment, training, mutation, selection_strategy, replay_buffer } = manifest;
  const definition = algorithmDefinition(algorithm.name);
  const warnings = rangeWarnings(manifest);
  const warn = (path: string, message: string): void => {
    warnings.push({ path, message });
  };
  if (!definition.runs) {
    warn("algorithm.name", `${algorithm.name} is known to the format, but this build does not train it yet`);
  }
  const evolves = training.hpo || (mutation !== null && selection_strategy !== null);
  if (evolves && training.pop_size === 1) {
    warn("training.pop_size", "is 1: there is nothing to select from");
  }
  if (training.learn_from === "population" && training.pop_size === 1) {
    warn("training.learn_from", 'is "population", which has no effect: there is one agent');
  }
  if (evolutionSections(manifest).learn_from !== "population" && training.max_replay_ratio !== DEFAULT_RATIO)
    warn("training.max_replay_ratio", "has no effect without learn_from: population");
  if (training.fitness === "fqe" && training.tie_episodes > 0)
    warn("training.tie_episodes", "has no effect with fitness: fqe");
  else if (training.tie_episodes > 0) {
    const { selection_strategy: selection } = evolutionSections(manifest);
    if (!selection || !selectionDefinition(selection).ranks)
      warn("training.tie_episodes", "has no effect without truncation selection or halving");
    else if (environment.num_envs * training.eval_loop === 1)
      warn("training.tie_episodes", "has no effect: one episode, as evaluations have, has no standard error");
  }
  if (training.demonstrations !== null && definition.language_model)
    warn("training.demonstrations", `has no effect: ${algorithm.name} trains language models`);
  const unread = definition.on_policy
    ? (["demonstration_share"] as const)
    : (["demonstration_coef", "demonstration_steps"] as const);
  for (const key of unread)
    if (training[key] !== null)
      warn(
        `training.${key}`,
        `has no effect: ${algorithm.name} ${definition.on_policy ? "keeps no replay buffer" : "does not imitate"}`,
      );
  const isAlone = selection_strategy !== null && evolvesAlone(selection_strategy);
  const seedsOnly = mutation !== null && fieldsSet(MutationSpec.shape, mutation).join() === "rand_seed";
  const evolvesHalf = !seedsOnly && (mutation === null) !== (selection_strategy === null);
  if (!training.hpo && !isAlone && evolvesHalf) {
    const absent = mutation === null ? "mutation" : "selection_strategy";
    warn(absent, "is absent: agents evolve only with both mutation and selection_strategy");
  }
  if (replay_buffer !== null && definition.on_policy) {
    warn("replay_buffer", `has no effect: ${algorithm.name} keeps no replay buffer`);
  }
  const summed = replay_buffer?.kind === "classic" && replay_buffer.n_step_buffer;
  const { n_step_field } = definition;
  const values: Record<string, unknown> = { ...algorithm };
  // A manifest that does not set it has 1 here.
  if (n_step_field !== null && Number(values[n_step_field]) > 1 && !summed) {
    const found = `found ${String(values[n_step_field])}, which has no effect without replay_buffer.n_step_buffer`;
    warn(
      `algorithm.${n_step_field}`,
      `${found}: returns have one step; set n_step_buffer to true, or leave this key out`,
    );
  }
  if (definition.offline) {
    if (mutation !== null && "learn_step" in mutation.rl_hp_selection)
      warn("mutation.rl_hp_selection.learn_step", `has no effect: ${algorithm.name} learns in every step`);
    if (training.learning_delay > 0)
      warn("training.learning_delay", `has no effect: ${algorithm.name} learns from its first step`);
    if (replay_buffer?.kind === "classic") {
      for (const key of ["n_step_buffer", "per_buffer"] as const)
        if (replay_buffer[key])
          warn(`replay_buffer.${key}`, `has no effect: ${algorithm.name} samples single steps uniformly`);
    }
  }
  if (!definition.epsilon_greedy) {
    for (const key of ["eps_start", "eps_end", "eps_decay"] as const) {
      if (training[key] !== null)
        warn(`training.${key}`, `has no effect: ${algorithm.name} is not epsilon-greedy`);
    }
  }
  const exploration = explorationWarning(environment.name, { ...algorithm });
  if (exploration !== null) warn(`algorithm.${exploration.field}`, exploration.message);
  if (
    definition.on_policy &&
    !definition.multi_agent &&
    "learn_step" in algorithm &&
    algorithm.learn_step === 1 &&
    environment.num_envs === 1
  ) {
    warn(
      "algorithm.learn_step",
      "is 1 with one environment: rollouts have 2 steps, since a single step has no standard deviation",
    );
  }
  if (training.checkpoint_path !== null && training.checkpoint_steps === null) {
    warn("training.checkpoint_path", "has no effect without checkpoint_steps");
  }
  return warnings;
}
