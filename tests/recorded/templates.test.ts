/**
 * Fingerprints of every template: what it says, what a run from it is given, and how its manifest is parsed and exported.
 * After a wanted change of a template, and only then: npx vitest run tests/recorded/templates.test.ts -u
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import {
  manifestToJson,
  manifestToYaml,
  parseManifest,
  type TrainingManifest,
  templates,
} from "../../src/manifests/index.ts";
import { wholeTemplate } from "../../src/manifests/templates.ts";

/** Defaults of fields that were added after the recording. */
const ADDED_OPTIONS = {
  full_finetuning: false,
  acting: "auto",
  kl_estimator: "rlkit",
  use_bias_correction_kl: false,
  lr_schedule: "constant",
  lr_final: null,
  clip_coef_schedule: "constant",
  clip_coef_final: null,
  ent_coef_schedule: "constant",
  ent_coef_final: null,
  weight_decay: 0.01,
  stop_strings: [],
  gradient_accumulation_steps: 1,
};
const ADDED_ROWS = { cosine_lr_schedule_config: null };
const ADDED_PREFERENCES = {
  loss_type: "sigmoid",
  label_smoothing: 0,
  simpo_gamma: 0.5,
  reference_free: false,
};
const ADDED = {
  seed: null,
  reset_each_generation: false,
  learn_from: null,
  max_replay_ratio: 8,
  final_episodes: null,
  fitness_window: 1,
  tie_episodes: 0,
  opponents: null,
  opponent_pool: 12,
  opponent_interval: 2,
  opening_moves: 0,
  symmetries: false,
  search: null,
};
const ADDED_SHAPING = {
  normalize: null,
  reward_scale: 1,
  reward_clip: null,
  frame_stack: 1,
  max_episode_steps: null,
};
const ADDED_HUB = { hf_config: null, hf_split: null, fitness: null, reward_weights: null };
const ADDED_RANGE = { initial: "value", scale: "linear", choices: null };

const ADDED_NETWORK = { weight_storage: "f32" };

/** A section without fields that were added later, where they have their defaults. */
function without(section: object, added: object): object {
  const defaults = new Map<string, unknown>(Object.entries(added));
  for (const name of defaults.keys()) expect(section).toHaveProperty(name);
  const isAdded = (name: string, value: unknown): boolean =>
    defaults.has(name) && isDeepStrictEqual(value, defaults.get(name));
  return Object.fromEntries(Object.entries(section).filter(([name, value]) => !isAdded(name, value)));
}

/** The parsed manifest without those fields. */
function recorded(parsed: TrainingManifest): object {
  const training = without(parsed.training, ADDED);
  const { env_type } = parsed.environment;
  const isShaped = env_type === "gym" || env_type === "offline";
  const isText = env_type === "rollout" || env_type === "dataset";
  const later = isShaped ? ADDED_SHAPING : isText ? ADDED_HUB : {};
  const environment = without(parsed.environment, later);
  const mutation = parsed.mutation && {
    ...without(parsed.mutation, { mutate_elite: true }),
    rl_hp_selection: Object.fromEntries(
      Object.entries(parsed.mutation.rl_hp_selection).map(([name, range]) => [
        name,
        without(range, ADDED_RANGE),
      ]),
    ),
  };
  const options = Object.entries(ADDED_OPTIONS).filter(([name]) => name in parsed.algorithm);
  const preferences = parsed.algorithm.name === "DPO" ? ADDED_PREFERENCES : {};
  const rows = env_type === "dataset" ? ADDED_ROWS : {};
  const added = { ...Object.fromEntries(options), ...preferences, ...rows };
  const algorithm = without(parsed.algorithm, added);
  const { network } = parsed;
  const isPretrained = network !== null && "pretrained_model_name_or_path" in network;
  return {
    ...parsed,
    algorithm,
    environment,
    network: isPretrained ? without(network, ADDED_NETWORK) : network,
    training,
    mutation,
  };
}

const fingerprint = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

it("templates stay as they were recorded, in their order", async () => {
  const found = templates.map((template) => {
    const { id, title, description, manifest } = template;
    const parsed = parseManifest(manifest);
    return {
      id,
      said: fingerprint(`${title}\n${description}`),
      manifest: fingerprint(JSON.stringify(wholeTemplate(template))),
      parsed: fingerprint(JSON.stringify(recorded(parsed))),
      yaml: fingerprint(manifestToYaml(parsed)),
      json: fingerprint(manifestToJson(parsed)),
    };
  });
  await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot("./templates.json");
});
