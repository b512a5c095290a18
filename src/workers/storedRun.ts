/** What the run store keeps of how a run was started. */
import { z } from "zod";
import { manifestToObject, parseManifestObject, type TrainingManifest } from "../specs/index.ts";
import { type ManifestRecovery, type RunManifest, StorageError } from "../storage/index.ts";
import type { AskedDevice } from "../training/executors/device.ts";
import { RUN_FILE } from "../training/loop/runFiles.ts";
import { userEnvironmentOf } from "../training/plan/environmentOf.ts";
import { storedModule, storeModule } from "./environments/storedModule.ts";

const schema = z.object({
  /** The manifest as an object, in the Python relative's keys. */
  manifest: z.looseObject({
    algorithm: z.looseObject({ name: z.string() }),
    environment: z.looseObject({ name: z.string() }),
  }),
  seed: z.int(),
  /** Runs stored before there was a choice trained on wasm. */
  device: z.enum(["wasm", "webgpu", "auto"]).default("wasm"),
  /** Of a run in an environment that a person wrote. */
  user_module: storedModule.optional(),
});

export type StoredRun = z.infer<typeof schema>;

/** @throws StorageError `corrupt` when the run was not stored by this workbench. */
export function readStoredRun({ id, manifest }: RunManifest): StoredRun {
  const parsed = schema.safeParse(manifest);
  if (parsed.success) return parsed.data;
  throw new StorageError("corrupt", id, "has no readable manifest; the run cannot go on, delete it");
}

/**
 * The manifest as the run trains now. One that was extended no longer ends by its target or its time: it goes on
 * because its owner wants more.
 * @throws SpecError for a number of steps that no manifest has.
 */
export function trainedManifest({ manifest }: StoredRun, max_steps: number | undefined): TrainingManifest {
  const parsed = parseManifestObject(manifest);
  if (max_steps === undefined) return parsed;
  const training = { ...parsed.training, max_steps, target_score: null, max_wall_seconds: null };
  return parseManifestObject(manifestToObject({ ...parsed, training }));
}

/** A manifest that names the very code of a person's environment, so that later changes of it are none of the run's. */
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

/** What a checkpoint's file says of the start of its run. */
const savedSchema = schema.omit({ device: true }).extend({
  device: z.enum(["wasm", "webgpu"]).nullish(),
});

/**
 * How a run was started, from any of its checkpoints. They do not say which device was asked for: a run that trained on
 * a GPU goes on there if there is one.
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

/** A run's name where nobody gave it one. */
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
