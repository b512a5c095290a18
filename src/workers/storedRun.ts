/** What the run store keeps of how a run was started. */
import { z } from "zod";
import { manifestToObject, type TrainingManifest } from "../specs/index.ts";
import { type RunManifest, StorageError } from "../storage/index.ts";
import type { AskedDevice } from "../training/device.ts";

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
