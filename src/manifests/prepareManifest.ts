import type { z } from "zod";
import { isNetworkMap } from "../rl/networks.ts";
import { missingEnd } from "../specs/algorithms.ts";
import { isMapping } from "../specs/messages.ts";
import { isPretrained } from "../specs/networks.ts";
import { NO_ENVIRONMENT, NO_MUTATION } from "../specs/sections.ts";
import { canonicalName, findAlgorithm } from "./names.ts";

type Mapping = Record<string, unknown>;

/** Number of environments that each agent steps if neither section gives it. */
const DEFAULT_NUM_ENVS = 32;

/** Adds the bounds of `mutation.network` to a network section where it has none of its own. */
function foldBounds(
  network: Mapping,
  { encoder, head_net, min_latent_dim, max_latent_dim }: Mapping,
): Mapping {
  const folded: Mapping = { ...network };
  for (const [key, value] of Object.entries({ min_latent_dim, max_latent_dim })) {
    if (value !== undefined && value !== null) folded[key] = network[key] ?? value;
  }
  for (const [bounds, key] of [
    [encoder, "encoder_config"],
    [head_net, "head_config"],
  ] as const) {
    const own = network[key] ?? {};
    // A section of the wrong type is left unchanged, so that validation reports it.
    if (isMapping(bounds) && Object.keys(bounds).length > 0 && isMapping(own))
      folded[key] = { ...bounds, ...own };
  }
  return folded;
}

/** Moves `mutation.network` into the network section, or into each agent's. A section's own settings win. */
function foldMutationNetwork(manifest: Mapping): Mapping {
  const { mutation, network } = manifest;
  if (!isMapping(mutation) || !isMapping(mutation.network) || !isMapping(network)) return manifest;
  const bounds = mutation.network;
  const { encoder: _e, head_net: _h, min_latent_dim: _l, max_latent_dim: _m, ...unknown } = bounds;
  const folded = isNetworkMap(network)
    ? Object.fromEntries(Object.entries(network).map(([key, own]) => [key, foldBounds(own, bounds)]))
    : foldBounds(network, bounds);
  // Keys that are not bounds stay, so that validation reports them where they were written.
  const left = Object.keys(unknown).length > 0 ? unknown : null;
  return { ...manifest, network: folded, mutation: { ...mutation, network: left } };
}

/** An empty mutation section means that nothing mutates; without this step, defaults would apply. */
function emptyMutation(manifest: Mapping): Mapping {
  const { mutation } = manifest;
  if (!isMapping(mutation) || Object.keys(mutation).length > 0) return manifest;
  return { ...manifest, mutation: { probabilities: NO_MUTATION } };
}

/** The mutation section repeats training.seed where it has no seed of its own; else both must be the same. */
function seedOfMutation(manifest: Mapping, context: z.core.$RefinementCtx): Mapping {
  const { mutation, training } = manifest;
  const seed = isMapping(training) ? training.seed : undefined;
  if (typeof seed !== "number" || !isMapping(mutation)) return manifest;
  const { rand_seed = seed } = mutation;
  if (rand_seed !== seed) {
    const message = `found ${seed}, but mutation.rand_seed is ${String(rand_seed)}; give the seed once`;
    context.addIssue({ code: "custom", path: ["training", "seed"], message });
  }
  return { ...manifest, mutation: { ...mutation, rand_seed } };
}

/** How a range is searched if it does not say so: on a logarithmic scale where its bounds allow one. */
function searched(range: unknown): unknown {
  if (!isMapping(range)) return range;
  const isPositive = range.choices === undefined && typeof range.min === "number" && range.min > 0;
  const scale = range.scale ?? (isPositive ? "log" : "linear");
  const initial = scale === "linear" ? "uniform" : "log_uniform";
  return { ...range, scale, initial: range.initial ?? initial };
}

/**
 * With `hpo: search`, a mutation section that only has ranges says what to search, so it gets the rest of the
 * recipe: no random mutation, and drawn initial values.
 */
function searchedMutation(manifest: Mapping): Mapping {
  const { mutation, training } = manifest;
  if (!isMapping(training) || training.hpo !== "search" || !isMapping(mutation)) return manifest;
  const { probabilities = NO_MUTATION, rl_hp_selection: ranges } = mutation;
  const rl_hp_selection = isMapping(ranges)
    ? Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, searched(range)]))
    : ranges;
  return { ...manifest, mutation: { ...mutation, probabilities, rl_hp_selection } };
}

/** The algorithm implies the environment's type and shares its number of environments. */
function environmentOfAlgorithm(manifest: Mapping): Mapping {
  const { algorithm, environment } = manifest;
  if (!isMapping(algorithm) || !isMapping(environment)) return manifest;
  const definition = findAlgorithm(canonicalName(algorithm.name));
  if (definition === undefined) return manifest;
  const objective = definition.objective === null ? {} : { objective: definition.objective };
  const tagged: Mapping = { env_type: definition.env_types[0], ...objective, ...environment };
  const key = definition.num_envs_field;
  if (key === null) return { ...manifest, environment: tagged };
  const num_envs = environment.num_envs ?? algorithm[key] ?? DEFAULT_NUM_ENVS;
  // A wrong value is reported once, where it was written.
  if (!Number.isInteger(num_envs) || Number(num_envs) < 1) return { ...manifest, environment: tagged };
  return {
    ...manifest,
    environment: { ...tagged, num_envs },
    algorithm: { ...algorithm, [key]: algorithm[key] ?? num_envs },
  };
}

/** Without an environment, only the data can rank agents. */
function fitnessOfData(manifest: Mapping): Mapping {
  const { environment, training = {} } = manifest;
  if (!isMapping(environment) || environment.env_type !== "offline" || !isMapping(training)) return manifest;
  const isAlone = (environment.name ?? NO_ENVIRONMENT) === NO_ENVIRONMENT;
  if (!isAlone || training.fitness !== undefined) return manifest;
  return { ...manifest, training: { ...training, fitness: "fqe" } };
}

/** Settings of a pretrained model: keys of the network section, with their names in the algorithm's spec. */
const MODEL_KEYS = {
  pretrained_model_name_or_path: "pretrained_model_name_or_path",
  max_context_length: "max_model_len",
  lora_config: "lora_config",
} as const;

/** Copies the language model's settings from the network section to the algorithm. */
function modelOfNetwork(manifest: Mapping): Mapping {
  const { algorithm, network } = manifest;
  if (!isMapping(algorithm) || !isMapping(network) || !isPretrained(network)) return manifest;
  if (findAlgorithm(canonicalName(algorithm.name))?.language_model !== true) return manifest;
  const copied: Mapping = { ...algorithm };
  const given: Mapping = { ...network };
  for (const [key, own] of Object.entries(MODEL_KEYS)) copied[own] ??= given[key];
  return { ...manifest, algorithm: copied };
}

/** Sets the steps of a return to the n-step buffer's value, or to 1 without such a buffer. */
function nStepOfBuffer(manifest: Mapping): Mapping {
  const { algorithm, replay_buffer } = manifest;
  if (!isMapping(algorithm)) return manifest;
  const field = findAlgorithm(canonicalName(algorithm.name))?.n_step_field ?? null;
  if (field === null || algorithm[field] !== undefined) return manifest;
  const buffer = isMapping(replay_buffer) ? replay_buffer : {};
  const args = isMapping(buffer.n_step_buffer_args) ? buffer.n_step_buffer_args : {};
  const n_step = buffer.n_step_buffer === true ? args.n_step : 1;
  if (n_step === undefined || n_step === null) return manifest;
  return { ...manifest, algorithm: { ...algorithm, [field]: n_step } };
}

/** Moves a network inside the algorithm, as in a spec used without a manifest, to the network section. */
function liftNetwork(manifest: Mapping): Mapping {
  const { algorithm, network } = manifest;
  if (!isMapping(algorithm) || algorithm.net_config === undefined || algorithm.net_config === null)
    return manifest;
  // If both are given, the cross-check reports it.
  if (network !== undefined && network !== null) return manifest;
  const { net_config, ...rest } = algorithm;
  return { ...manifest, algorithm: rest, network: net_config };
}

/** Reports a schedule in a run without `max_steps`, whose default is hardly the end that was meant. */
function requireEnd({ algorithm, training }: Mapping, context: z.core.$RefinementCtx): void {
  const message = isMapping(algorithm) ? missingEnd(algorithm) : null;
  const isGiven = isMapping(training) && training.max_steps !== undefined;
  if (message !== null && !isGiven)
    context.addIssue({ code: "custom", path: ["training", "max_steps"], message });
}

/** Resolves what depends on the presence of keys, before fields are validated. The input is not changed. */
export function prepareManifest(raw: unknown, context: z.core.$RefinementCtx): unknown {
  if (!isMapping(raw)) return raw;
  requireEnd(raw, context);
  const steps = [
    liftNetwork,
    foldMutationNetwork,
    emptyMutation,
    seedOfMutation,
    searchedMutation,
    nStepOfBuffer,
    modelOfNetwork,
    environmentOfAlgorithm,
    fitnessOfData,
  ];
  return steps.reduce<Mapping>((manifest, step) => step(manifest, context), raw);
}
