/** The data that the run store keeps about the start of a run. */
import { z } from "zod";
import { manifestToObject, parseManifestObject, type TrainingManifest } from "../../manifests/index.ts";
import { jsonSpace } from "../../rl/environments.ts";
import { spaceFromJson, spaceToJson } from "../../rl/spaces.ts";
import { knownUserEnvironment, type UserEnvironment } from "../../sandbox/environments.ts";
import { sha256HexNow } from "../../storage/files.ts";
import { type ManifestRecovery, type RunManifest, StorageError } from "../../storage/index.ts";
import type { AskedDevice } from "../../training/executors.ts";
import { RUN_FILE } from "../../training/loop.ts";
import { userEnvironmentOf, userPlaceOf } from "../../training/plan.ts";

/**
 * A user-written environment as a stored run contains it: complete, so that showing the run
 * executes no user code.
 */
const storedModule = z
  .object({
    /** The name in the run's manifest. */
    name: z.string(),
    sha256: z.string(),
    /** The source text, unchanged. */
    source: z.string(),
    /** Training opens the module and rejects spaces that differ from these. */
    observation_space: jsonSpace,
    action_space: jsonSpace,
    stated_limit: z.int().positive().nullable(),
    /** Runs stored before there were games in code have none. */
    players: z.array(z.string()).nullable().default(null),
    /** Runs stored before games in code could be searched do not tell. */
    saves: z.boolean().default(false),
  })
  .refine(({ sha256, source }) => sha256HexNow(new TextEncoder().encode(source)) === sha256, {
    error: "the environment's code is corrupt (its SHA-256 differs)",
  });

type StoredModule = z.infer<typeof storedModule>;

const storeModule = ({ module, ...env }: UserEnvironment): StoredModule => ({
  name: env.id,
  sha256: module.sha256,
  source: module.source,
  observation_space: spaceToJson(env.observation_space),
  action_space: spaceToJson(env.action_space),
  stated_limit: env.stated_limit,
  players: env.players && [...env.players],
  saves: env.saves,
});

/**
 * Registers a stored run's environment without running its code.
 * @throws Error for a manifest that names another environment.
 */
export async function recallModule(manifest: TrainingManifest, stored: StoredModule): Promise<void> {
  const place = userPlaceOf(manifest);
  if (place === null || place.name !== stored.name || place.version !== stored.sha256)
    throw new Error(
      `environment.version: found ${JSON.stringify(place?.version ?? null)}, allowed ${stored.sha256}, that of the code next to it`,
    );
  if (knownUserEnvironment(place)) return;
  // Loaded on demand, so that the worker's start does not load the sandbox code.
  const { prepareModule, rememberModule, TIMEOUT_S } = await import("./parts/userModules.ts");
  rememberModule(place, await prepareModule(stored.name, stored.source), {
    observation_space: spaceFromJson(stored.observation_space),
    action_space: spaceFromJson(stored.action_space),
    stated_limit: stored.stated_limit,
    players: stored.players,
    saves: stored.saves,
    timeout_s: TIMEOUT_S,
    warnings: [],
  });
}

const schema = z.object({
  /** The manifest as an object with AgileRL's keys. */
  manifest: z.looseObject({
    algorithm: z.looseObject({ name: z.string() }),
    environment: z.looseObject({ name: z.string() }),
  }),
  seed: z.int(),
  /** Runs stored before the device could be chosen trained on wasm. */
  device: z.enum(["wasm", "webgpu", "auto"]).default("wasm"),
  /** Present for a run in a user-written environment. */
  user_module: storedModule.optional(),
});

export type StoredRun = z.infer<typeof schema>;

/** @throws StorageError `corrupt` if the run was not stored by this workbench. */
export function readStoredRun({ id, manifest }: RunManifest): StoredRun {
  const parsed = schema.safeParse(manifest);
  if (parsed.success) return parsed.data;
  throw new StorageError("corrupt", id, "has no readable manifest; the run cannot continue; delete it");
}

/**
 * The manifest that the run trains with now. An extended run no longer ends by its target or its time limit,
 * because the user wants more training.
 * @throws SpecError for an invalid number of steps.
 */
export function trainedManifest({ manifest }: StoredRun, max_steps: number | undefined): TrainingManifest {
  const parsed = parseManifestObject(manifest);
  if (max_steps === undefined) return parsed;
  const training = {
    ...parsed.training,
    max_steps,
    target_score: null,
    early_stopping_patience: null,
    max_wall_seconds: null,
  };
  return parseManifestObject(manifestToObject({ ...parsed, training }));
}

/**
 * A manifest that pins the exact code of a user-written environment, so that later changes do
 * not affect the run.
 */
export function pinnedManifest(manifest: TrainingManifest): TrainingManifest {
  const user = userEnvironmentOf(manifest);
  if (user === null) return manifest;
  const { environment, ...sections } = schema.shape.manifest.parse(manifestToObject(manifest));
  return parseManifestObject({ ...sections, environment: { ...environment, version: user.module.sha256 } });
}

export function storeRun(manifest: TrainingManifest, seed: number, device: AskedDevice): StoredRun {
  const user = userEnvironmentOf(manifest);
  const module = user && { user_module: storeModule(user) };
  return schema.parse({ manifest: manifestToObject(manifest), seed, device, ...module });
}

/** The part of a checkpoint's file that describes the start of its run. */
const savedSchema = schema.omit({ device: true }).extend({
  device: z.enum(["wasm", "webgpu"]).nullish(),
});

/**
 * Reads how a run was started from any of its checkpoints. They do not record the requested device: a run
 * that trained on a GPU resumes on a GPU if there is one.
 */
export const storedRunSource: ManifestRecovery = {
  file: RUN_FILE,
  read: (bytes) => {
    const parsed = savedSchema.safeParse(jsonOf(bytes));
    if (!parsed.success) return null;
    const { manifest, seed, device } = parsed.data;
    const stored: StoredRun = { manifest, seed, device: device === "webgpu" ? "auto" : "wasm" };
    return { name: defaultName(manifest), manifest: stored };
  },
};

/** The name of a run that was given none. */
export const defaultName = ({
  algorithm,
  environment,
}: {
  readonly algorithm: { readonly name: string };
  readonly environment: { readonly name: string };
}): string => `${algorithm.name} ${environment.name}`;

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
