/** What the run store keeps of how a run was started. */
import { z } from "zod";
import { manifestToObject, type TrainingManifest } from "../specs/index.ts";
import { type ManifestRecovery, type RunManifest, StorageError } from "../storage/index.ts";
import type { AskedDevice } from "../training/executors/device.ts";
import { RUN_FILE } from "../training/loop/runFiles.ts";

const schema = z.object({
  /** The manifest as an object, in the Python relative's keys. */
  manifest: z.looseObject({
    algorithm: z.looseObject({ name: z.string() }),
    environment: z.looseObject({ name: z.string() }),
  }),
  seed: z.int(),
  /** Runs stored before there was a choice trained on wasm. */
  device: z.enum(["wasm", "webgpu", "auto"]).default("wasm"),
});

export type StoredRun = z.infer<typeof schema>;

/** @throws StorageError `corrupt` when the run was not stored by this workbench. */
export function readStoredRun({ id, manifest }: RunManifest): StoredRun {
  const parsed = schema.safeParse(manifest);
  if (parsed.success) return parsed.data;
  throw new StorageError("corrupt", id, "has no readable manifest; the run cannot go on, delete it");
}

export const storeRun = (manifest: TrainingManifest, seed: number, device: AskedDevice): StoredRun =>
  schema.parse({ manifest: manifestToObject(manifest), seed, device });

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
