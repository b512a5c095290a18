import { canonicalName, findAlgorithm } from "../algorithms/names.ts";
import { isMapping } from "../isMapping.ts";
import { NO_MUTATION } from "../MutationSpec.ts";
import { isPretrained } from "../networks/ManifestNetwork.ts";
import { isNetworkMap } from "../networks/NetworkMap.ts";

type Mapping = Record<string, unknown>;

/** Environments each agent steps when neither section says. */
const DEFAULT_NUM_ENVS = 32;

/** A network section with the bounds of `mutation.network` where it has none of its own. */
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
    // A section of the wrong type stays as it is, for validation to name.
    if (isMapping(bounds) && Object.keys(bounds).length > 0 && isMapping(own))
      folded[key] = { ...bounds, ...own };
  }
  return folded;
}

/** `mutation.network` moves into the network section, whose own settings win; into each where several agents have theirs. */
function foldMutationNetwork(manifest: Mapping): Mapping {
  const { mutation, network } = manifest;
  if (!isMapping(mutation) || !isMapping(mutation.network) || !isMapping(network)) return manifest;
  const bounds = mutation.network;
  const { encoder: _e, head_net: _h, min_latent_dim: _l, max_latent_dim: _m, ...unknown } = bounds;
  const folded = isNetworkMap(network)
    ? Object.fromEntries(Object.entries(network).map(([key, own]) => [key, foldBounds(own, bounds)]))
    : foldBounds(network, bounds);
  // Keys that are no bounds stay behind, for validation to name where they were written.
  const left = Object.keys(unknown).length > 0 ? unknown : null;
  return { ...manifest, network: folded, mutation: { ...mutation, network: left } };
}

/** An empty mutation section means that nothing mutates; without it, a default would. */
function emptyMutation(manifest: Mapping): Mapping {
  const { mutation } = manifest;
  if (!isMapping(mutation) || Object.keys(mutation).length > 0) return manifest;
  return { ...manifest, mutation: { probabilities: NO_MUTATION } };
}

/** The algorithm decides the environment's kind and shares its number of environments. */
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
  return {
    ...manifest,
    environment: { ...tagged, num_envs },
    algorithm: { ...algorithm, [key]: algorithm[key] ?? num_envs },
  };
}

/** Settings of a pretrained model that the algorithm's spec holds too, from the network section's name. */
const MODEL_KEYS = {
  pretrained_model_name_or_path: "pretrained_model_name_or_path",
  max_context_length: "max_model_len",
  lora_config: "lora_config",
} as const;

/** The network section names a language model once, for the algorithm too. */
function modelOfNetwork(manifest: Mapping): Mapping {
  const { algorithm, network } = manifest;
  if (!isMapping(algorithm) || !isMapping(network) || !isPretrained(network)) return manifest;
  if (findAlgorithm(canonicalName(algorithm.name))?.language_model !== true) return manifest;
  const copied: Mapping = { ...algorithm };
  const given: Mapping = { ...network };
  for (const [key, own] of Object.entries(MODEL_KEYS)) copied[own] ??= given[key];
  return { ...manifest, algorithm: copied };
}

/** The n-step buffer says how many steps returns have, for algorithms whose spec holds it; without one it is one. */
function nStepOfBuffer(manifest: Mapping): Mapping {
  const { algorithm, replay_buffer } = manifest;
  if (!isMapping(algorithm) || algorithm.n_step !== undefined) return manifest;
  const fields = findAlgorithm(canonicalName(algorithm.name))?.schema.shape ?? {};
  if (!Object.hasOwn(fields, "n_step")) return manifest;
  const buffer = isMapping(replay_buffer) ? replay_buffer : {};
  const args = isMapping(buffer.n_step_buffer_args) ? buffer.n_step_buffer_args : {};
  const n_step = buffer.n_step_buffer === true ? args.n_step : 1;
  if (n_step === undefined || n_step === null) return manifest;
  return { ...manifest, algorithm: { ...algorithm, n_step } };
}

/** A network given inside the algorithm, as a spec without manifest has it, becomes the network section. */
function liftNetwork(manifest: Mapping): Mapping {
  const { algorithm, network } = manifest;
  if (!isMapping(algorithm) || algorithm.net_config === undefined || algorithm.net_config === null)
    return manifest;
  // Both given: left for the cross-check to report.
  if (network !== undefined && network !== null) return manifest;
  const { net_config, ...rest } = algorithm;
  return { ...manifest, algorithm: rest, network: net_config };
}

/** Resolves what depends on which keys are present, before any field is validated. Changes no input. */
export function prepareManifest(raw: unknown): unknown {
  if (!isMapping(raw)) return raw;
  const steps = [
    liftNetwork,
    foldMutationNetwork,
    emptyMutation,
    nStepOfBuffer,
    modelOfNetwork,
    environmentOfAlgorithm,
  ];
  return steps.reduce<Mapping>((manifest, step) => step(manifest), raw);
}
