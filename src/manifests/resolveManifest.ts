import type { z } from "zod";
import { selectionDefinition } from "../evolution/selections.ts";
import {
  isDeclared,
  isNetworkMap,
  memoryProblem,
  type NetworkSection,
  noMemoryProblem,
  RECURRENT_SWITCH,
  sectionsOf,
  switchedOn,
} from "../rl/networks.ts";
import {
  type AlgorithmDefinition,
  COLOCATED_ENGINE,
  rangeProblems,
  scheduleProblems,
} from "../specs/algorithms.ts";
import { MOST_ISSUES, type SpecIssueCode } from "../specs/checks.ts";
import { isPretrained } from "../specs/networks.ts";
import { type RLHyperparameter } from "../specs/sections.ts";
import { namesWith } from "./names.ts";
import { algorithmDefinition } from "./registry.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

interface Report {
  (path: (string | number)[], message: string, extra?: { code?: SpecIssueCode; suggestion?: string }): void;
}

function checkHyperparameter(
  manifest: TrainingManifest,
  definition: AlgorithmDefinition,
  [name, range]: [string, RLHyperparameter],
  report: Report,
): void {
  const path = ["mutation", "rl_hp_selection", name];
  const problems = rangeProblems(definition, name, range);
  const values: Record<string, unknown> = { ...manifest.algorithm };
  if (values[name] === null && !problems.some(({ bound }) => bound === null)) {
    report(path, `"${name}" is unset in the algorithm section, so it cannot mutate; give it a value there`);
  }
  for (const { bound, message, ...extra } of problems) {
    report(bound === null ? path : [...path, bound], message, extra);
  }
}

/** Reports what in one network section does not suit the algorithm. @param place Path of the section. */
function checkSection(
  { algorithm }: TrainingManifest,
  { name, stochastic_actor }: AlgorithmDefinition,
  [place, network]: readonly [place: readonly string[], network: NetworkSection],
  report: Report,
): void {
  if (network.squash_output && !stochastic_actor)
    report([...place, "squash_output"], `${name} has no sampled continuous actions to squash`);
  const recurrent = "recurrent" in algorithm && algorithm.recurrent;
  const on = switchedOn(network);
  if (recurrent && on !== null) report([...place, on], RECURRENT_SWITCH);
  else if (isDeclared(network)) {
    const { arch } = network.encoder_config;
    const problem = "recurrent" in algorithm ? memoryProblem(arch, recurrent) : noMemoryProblem(name, arch);
    if (problem !== null) report([...place, "encoder_config", "arch"], problem);
  }
}

function checkNetwork(manifest: TrainingManifest, definition: AlgorithmDefinition, report: Report): void {
  const { network } = manifest;
  if (network === null || isPretrained(network)) return;
  const { name, multi_agent } = definition;
  if (isNetworkMap(network) && !multi_agent) {
    const keys = Object.keys(network).join(", ");
    report(["network"], `found networks of the agents ${keys}; ${name} trains one agent; give one network`);
    return;
  }
  for (const [key, section] of sectionsOf(network))
    checkSection(manifest, definition, [key === null ? ["network"] : ["network", key], section], report);
}

/** Checks what language-model algorithms need and others must not have. */
function checkLanguageModel(
  { algorithm, environment, network, replay_buffer, training }: TrainingManifest,
  { name, language_model, objective }: AlgorithmDefinition,
  report: Report,
): void {
  if (training.rollout_mode === "async" && replay_buffer?.kind !== "llm")
    report(["training", "rollout_mode"], 'found "async"; needs a replay_buffer of kind llm');
  const pretrained = network !== null && isPretrained(network);
  const key = "pretrained_model_name_or_path";
  if (!language_model) {
    if (pretrained) report(["network", key], `${name} does not train language models`);
    return;
  }
  if (environment.env_type === "dataset" && objective !== null && environment.objective !== objective)
    report(["environment", "objective"], `found "${environment.objective}"; ${name} learns "${objective}"`);
  if (network !== null && !pretrained) {
    report(["network", key], `missing; ${name} trains a language model`);
    return;
  }
  if (!(key in algorithm)) return;
  if (algorithm[key] === null) report(["network", key], `missing; ${name} needs a model to start from`);
  if (!pretrained) return;
  for (const [own, other, found, said] of [
    [key, key, algorithm[key], network[key]],
    ["max_model_len", "max_context_length", algorithm.max_model_len, network.max_context_length],
  ] as const) {
    if (found !== said)
      report(["algorithm", own], `found ${found}; network.${other} says ${said}; leave this key out`);
  }
  const [adapter, given] = [algorithm.lora_config, network.lora_config].map((config) =>
    JSON.stringify(config),
  );
  if (network.lora_config !== null && adapter !== given)
    report(
      ["algorithm", "lora_config"],
      `found ${adapter}; network.lora_config says ${given}; leave this key out`,
    );
}

function checkSections(manifest: TrainingManifest, definition: AlgorithmDefinition, report: Report): void {
  const { algorithm, environment, training, network, replay_buffer } = manifest;
  if ("net_config" in algorithm && algorithm.net_config !== null && network !== null) {
    report(["algorithm", "net_config"], "given together with the network section; keep the section");
  }
  if (!definition.env_types.includes(environment.env_type)) {
    report(
      ["environment", "env_type"],
      `found "${environment.env_type}"; ${definition.name} trains in ${definition.env_types.join(", ")}`,
    );
  }
  if (training.learn_from === "population" && !definition.off_policy) {
    report(
      ["training", "learn_from"],
      `found "population"; only off-policy algorithms (${namesWith("off_policy")}) learn from what others collect, not ${definition.name}; leave this key out`,
    );
  }
  const values: Record<string, unknown> = { ...algorithm };
  /** A field that another section sets too must have the same value there. */
  const requireEqual = (field: string | null, place: string, value: number): void => {
    if (field === null || values[field] === value) return;
    const message = `found ${String(values[field])}; ${place} says ${value}; leave this key out`;
    report(["algorithm", field], message);
  };
  for (const { field, message } of scheduleProblems(values)) report(["algorithm", field], message);
  requireEqual(definition.num_envs_field, "environment.num_envs", environment.num_envs);
  checkLanguageModel(manifest, definition, report);
  checkNetwork(manifest, definition, report);
  if (replay_buffer === null) return;
  if (replay_buffer.kind === "classic" && replay_buffer.n_step_buffer) {
    const { n_step } = replay_buffer.n_step_buffer_args;
    requireEqual(definition.n_step_field, "replay_buffer.n_step_buffer_args.n_step", n_step);
  }
  if (replay_buffer.kind === "llm") {
    if (definition.language_model) return;
    report(["replay_buffer", "kind"], `found "llm"; ${definition.name} is not a language-model algorithm`);
    return;
  }
  if (replay_buffer.per_buffer && !definition.prioritised) {
    report(
      ["replay_buffer", "per_buffer"],
      `only ${namesWith("prioritised")} samples by priority, not ${definition.name}`,
    );
  }
  if (!replay_buffer.her) return;
  if (!definition.off_policy || definition.multi_agent)
    report(
      ["replay_buffer", "her"],
      `hindsight is for algorithms of one agent that learn from a replay buffer while they act, not for ${definition.name}`,
    );
  else if (replay_buffer.per_buffer)
    report(["replay_buffer", "per_buffer"], "found true; hindsight samples uniformly; use one of both");
}

/** Fills in what the selection strategy takes from the population, or reports what does not fit it. */
function withFittedSelection(manifest: TrainingManifest, report: Report): TrainingManifest {
  const { selection_strategy: strategy, training } = manifest;
  const fitted = strategy && selectionDefinition(strategy).fit?.(strategy, training.pop_size);
  if (!fitted) return manifest;
  if ("problem" in fitted) {
    const { key, message } = fitted.problem;
    report(key === null ? ["training", "pop_size"] : ["selection_strategy", key], message);
    return manifest;
  }
  // A definition fits sections of its own strategy.
  return { ...manifest, selection_strategy: fitted.spec as typeof strategy };
}

/** Least number of generations of a search: fewer give selection too little to choose from. */
const SEARCH_GENERATIONS = 24;

function withEvolutionRhythm(manifest: TrainingManifest, definition: AlgorithmDefinition): TrainingManifest {
  const { training } = manifest;
  if (training.evo_steps !== null || training.evo_epochs !== null) return manifest;
  const { max_steps, pop_size } = training;
  // Independent agents count the steps of all members together.
  const members = definition.multi_agent && definition.on_policy ? pop_size : 1;
  const most = training.hpo === "search" ? Math.ceil(max_steps / members / SEARCH_GENERATIONS) : max_steps;
  const evo_steps = Math.min(definition.evo_steps, most);
  return { ...manifest, training: { ...training, evo_steps } };
}

function withGenerationEngine(manifest: TrainingManifest): TrainingManifest {
  const { algorithm, training } = manifest;
  if (
    !("vllm_config" in algorithm) ||
    algorithm.vllm_config !== null ||
    training.rollout_mode !== "colocated"
  )
    return manifest;
  return { ...manifest, algorithm: { ...algorithm, vllm_config: COLOCATED_ENGINE } };
}

/** The checks between sections, and the defaults that depend on another section. */
export function resolveManifest(given: TrainingManifest, context: z.core.$RefinementCtx): TrainingManifest {
  const report: Report = (path, message, params = {}) =>
    context.addIssue({ code: "custom", path, message, params });
  const definition = algorithmDefinition(given.algorithm.name);
  const manifest = withGenerationEngine(given);
  checkSections(manifest, definition, report);
  // No algorithm has this many hyperparameters, so the rest are mistakes; reporting the first ones is enough.
  for (const entry of Object.entries(manifest.mutation?.rl_hp_selection ?? {}).slice(0, MOST_ISSUES + 1)) {
    checkHyperparameter(manifest, definition, entry, report);
  }
  return withEvolutionRhythm(withFittedSelection(manifest, report), definition);
}
