import { z } from "zod";
import { type Prepared, withAliases } from "./aliases.ts";
import { field, integer, mapping } from "./field.ts";
import { DatasetEnvSpec, RolloutEnvSpec } from "./LLMEnvSpec.ts";
import { CARTPOLE_RULE, FLOWERS, isUserEnvironment, NO_ENVIRONMENT, PENDULUM_RULE } from "./manifestNames.ts";
import { shapingShape } from "./shapingFields.ts";
import { option, tagged, type UnionTag } from "./taggedUnion.ts";

/** Fields of every Gymnasium-shaped environment. @internal */
export const gymEnvShape = {
  name: field(z.string().min(1), "Name of the environment, such as CartPole-v1."),
  num_envs: field(
    integer(1).default(32),
    "Environments each agent steps in parallel. More make batches steadier.",
    { unit: "environments" },
  ),
  version: field(
    z.union([z.string(), z.int()]).nullable().default(null),
    "Version of your own environment: its module's SHA-256, or a number on a remote platform.",
    { advanced: true },
  ),
  custom: field(z.boolean().default(false), "Whether the environment is your own.", { advanced: true }),
  default_type: field(z.string().default("float32"), "Number type of observations.", {
    advanced: true,
    effect: false,
  }),
  entrypoint: field(
    z.string().nullable().default(null),
    "Export of the module that makes the environment, as module:Class, or as name beside path. If unset, the default export.",
    { advanced: true, outside: [] },
  ),
  factory: field(
    z.string().nullable().default(null),
    "Function that makes the environment from entrypoint, as module:function.",
    { advanced: true, outside: [] },
  ),
  path: field(
    z.string().nullable().default(null),
    "Module of your own environment, in JavaScript or TypeScript. It runs in a sandbox.",
    { advanced: true, outside: [] },
  ),
  env_config: field(
    z.union([mapping(), z.string()]).nullable().default(null),
    "Arguments for making the environment, such as max_episode_steps or FrozenLake's is_slippery.",
    { advanced: true, outside: [] },
  ),
  env_wrappers: field(
    z
      .array(z.union([z.string(), z.tuple([z.string(), mapping()])]))
      .nullable()
      .default(null),
    "Wrappers around the environment, each a name or a name with arguments.",
    { advanced: true, outside: [] },
  ),
  sync: field(z.boolean().default(false), "Steps parallel environments one after another.", {
    advanced: true,
    effect: false,
  }),
  ...shapingShape,
};

const GYM_ALIASES = { config: "env_config", wrappers: "env_wrappers" };

const MODULE_CLASS = /^[^:]+:[^:]+$/;

/** Adds an issue if name, entrypoint and factory do not fit together. */
function checkEntrypoint(
  spec: {
    name: string;
    custom: boolean;
    entrypoint: string | null;
    factory: string | null;
    path: string | null;
  },
  context: z.core.$RefinementCtx,
): void {
  const { name, custom, entrypoint, factory, path } = spec;
  const fail = (key: string, message: string): void =>
    context.addIssue({ code: "custom", path: [key], message });
  if (name === NO_ENVIRONMENT) {
    const own = { path, entrypoint, factory };
    for (const [key, value] of Object.entries(own))
      if (value !== null)
        fail(key, `found "${value}", and name is "${NO_ENVIRONMENT}"; name the environment`);
    return;
  }
  if (factory !== null && entrypoint === null) fail("factory", "needs entrypoint to be set");
  if (custom || entrypoint === null || entrypoint === name) return;
  // For a known module, the export's name is enough.
  if (factory === null && (path !== null || isUserEnvironment(name))) return;
  if (factory !== null || !MODULE_CLASS.test(entrypoint)) {
    fail(
      "entrypoint",
      `found "${entrypoint}"; without custom: true it must equal name ("${name}") or be module:Class with no factory`,
    );
  }
}

const gymFields = z
  .strictObject({
    env_type: field(z.literal("gym").default("gym"), "An environment with Gymnasium's interface."),
    ...gymEnvShape,
  })
  .superRefine(checkEntrypoint);

const madeGymEnvSpec: Prepared<typeof gymFields> = withAliases(gymFields, GYM_ALIASES);
type GymEnvSpecMade = typeof madeGymEnvSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface GymEnvSpecSchema extends GymEnvSpecMade {}

/**
 * An environment with Gymnasium's interface, by name.
 *
 * @example
 * ```ts
 * const environment = GymEnvSpec.parse({ name: "FrozenLake-v1", env_config: { is_slippery: false } });
 * ```
 */
export const GymEnvSpec: GymEnvSpecSchema = madeGymEnvSpec;
export type GymEnvSpec = z.output<typeof GymEnvSpec>;
export type GymEnvSpecInput = z.input<typeof gymFields>;

/**
 * The environment of a remote job: the same record.
 *
 * @example
 * ```ts
 * const environment = RemoteEnvSpec.parse({ name: "CartPole-v1" });
 * ```
 */
export const RemoteEnvSpec = GymEnvSpec;
export type RemoteEnvSpec = GymEnvSpec;

const offlineFields = z
  .strictObject({
    env_type: field(
      z.literal("offline"),
      "A dataset to learn from, with an environment to evaluate in where there is one.",
    ),
    ...gymEnvShape,
    name: field(
      z.string().min(1).default(NO_ENVIRONMENT),
      "Name of the environment to evaluate in. none for data alone: spaces are those of the data set, and fitness is fqe.",
    ),
    hub_dataset_id: field(
      z.string().nullable().default(null),
      "Id of a data set on the hub, such as cartpole/random-v0.",
    ),
    dataset_path: field(
      z.string().nullable().default(null),
      "Minari folder, or a file: HDF5, CSV or games.",
      {
        outside: [CARTPOLE_RULE, PENDULUM_RULE],
      },
    ),
    remote: field(
      z.boolean().default(false),
      "Downloads the data set of the hub where there is no local copy.",
    ),
  })
  .superRefine(checkEntrypoint);

const madeOfflineEnvSpec: Prepared<typeof offlineFields> = withAliases(offlineFields, {
  ...GYM_ALIASES,
  minari_dataset_id: "hub_dataset_id",
});
type OfflineEnvSpecMade = typeof madeOfflineEnvSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface OfflineEnvSpecSchema extends OfflineEnvSpecMade {}

/** An environment for offline algorithms. */
export const OfflineEnvSpec: OfflineEnvSpecSchema = madeOfflineEnvSpec;
export type OfflineEnvSpec = z.output<typeof OfflineEnvSpec>;
export type OfflineEnvSpecInput = z.input<typeof offlineFields>;

const dataFile = (description: string) =>
  field(z.string().nullable().default(null), description, { outside: [FLOWERS] });

const banditFields = z.strictObject({
  env_type: field(z.literal("bandit"), "A contextual bandit over a labelled dataset."),
  name: field(z.string().min(1).default("BanditEnv"), "A label."),
  num_envs: gymEnvShape.num_envs,
  version: gymEnvShape.version,
  features: dataFile("File of the features, one row for each sample."),
  targets: dataFile("File of the targets, one for each sample."),
  entrypoint: gymEnvShape.entrypoint,
  path: gymEnvShape.path,
  env_config: gymEnvShape.env_config,
});

const madeBanditEnvSpec: Prepared<typeof banditFields> = withAliases(banditFields, { config: "env_config" });
type BanditEnvSpecMade = typeof madeBanditEnvSpec;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface BanditEnvSpecSchema extends BanditEnvSpecMade {}

/** The environment of bandit algorithms. */
export const BanditEnvSpec: BanditEnvSpecSchema = madeBanditEnvSpec;
export type BanditEnvSpec = z.output<typeof BanditEnvSpec>;
export type BanditEnvSpecInput = z.input<typeof banditFields>;

/**
 * Names that the manifest format knows. Those that no schema of this build reads are rejected with a
 * message that says so, rather than as a typo.
 */
const KNOWN_ENV_TYPES = [
  "gym",
  "offline",
  "bandit",
  "rollout",
  "dataset",
  "reasoning",
  "multiturn",
  "preference",
  "sft",
] as const;

const TAG: UnionTag = {
  what: "environment type",
  key: "env_type",
  tags: ["gym", "offline", "bandit", "rollout", "dataset"],
  known: KNOWN_ENV_TYPES,
  fallback: "gym",
};

const madeEnvSpecType = tagged(
  z.union([
    option(TAG, "gym", GymEnvSpec),
    option(TAG, "offline", OfflineEnvSpec),
    option(TAG, "bandit", BanditEnvSpec),
    option(TAG, "rollout", RolloutEnvSpec),
    option(TAG, "dataset", DatasetEnvSpec),
  ]),
  TAG,
);
type EnvSpecTypeMade = typeof madeEnvSpecType;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface EnvSpecTypeSchema extends EnvSpecTypeMade {}

/**
 * Any environment; `env_type` selects its type. In a manifest, the algorithm implies it when absent.
 *
 * @example
 * ```ts
 * const environment = EnvSpecType.parse({ name: "CartPole-v1", num_envs: 8 });
 * console.log(environment.env_type); // gym
 * ```
 */
export const EnvSpecType: EnvSpecTypeSchema = madeEnvSpecType;
export type EnvSpecType = z.output<typeof EnvSpecType>;
