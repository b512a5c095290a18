import { z } from "zod";
import type { CheckpointInfo } from "./checkpoint.ts";
import { migrate, STORED_RUN_FORMAT } from "./formats.ts";
import type { LoggedEvent } from "./logFrames.ts";
import { reasonOf, StorageError } from "./storageError.ts";

export const RUN_FORMAT = "rlkit.run";
export const RUN_VERSION = STORED_RUN_FORMAT.version;
/** The type of log events that change a run's record. */
export const RUN_EVENT = "run";

const runStatus = z.enum(["running", "paused", "stopped", "finished", "interrupted", "failed"]);

/** The state of a run. `interrupted`: its tab or process ended without stopping it; it can be resumed. */
export type RunStatus = z.infer<typeof runStatus>;

const runDevice = z.object({ kind: z.enum(["wasm", "webgpu"]), label: z.string(), reason: z.string() });

/** Numbers of the agent that a final evaluation chose, and of that evaluation. */
interface RunChampion {
  readonly index: number;
  /** Environment steps of the agent. */
  readonly steps: number;
  /** Mean return. */
  readonly fitness: number;
  /** Episodes of each candidate. */
  readonly episodes: number;
  readonly candidates: number;
  /** Episodes of all candidates. */
  readonly played?: number;
}

const runChampion: z.ZodType<RunChampion> = z.object({
  index: z.int(),
  steps: z.number(),
  fitness: z.number(),
  episodes: z.int(),
  candidates: z.int(),
  played: z.int().exactOptional(),
});

// Annotated, so that declarations do not repeat the fields.
const runPatch: z.ZodType<RunPatch> = z.object({
  name: z.string().optional(),
  state: runStatus.optional(),
  /** The reason for the state, as a message; null for none. */
  reason: z.string().nullable().optional(),
  generation: z.number().optional(),
  global_step: z.number().optional(),
  best_fitness: z.number().nullable().optional(),
  /** The step limit that the run was extended to; replaces that of its manifest. */
  max_steps: z.int().positive().optional(),
  tags: z.array(z.string()).readonly().optional(),
  note: z.string().optional(),
  /** The device that trains the run, as its owner describes devices. */
  device: runDevice.nullable().optional(),
  steps_per_second: z.number().nullable().optional(),
  /** Best fitness of a few generations, spread over the whole run; null for none. */
  sparkline: z.array(z.number().nullable()).readonly().optional(),
  /** Names of checkpoints that are kept regardless of the policy. */
  pinned: z.array(z.string()).readonly().optional(),
  /** The run that this one is the pair of: the same without evolution. */
  compared_with: z.string().optional(),
  /** The run of the stage before this one, whose elite it begins with. */
  after: z.string().optional(),
  /** Name of the group of runs that it belongs to, such as repeats over seeds. */
  group: z.string().optional(),
  /** When it was put into the queue, in which it waits to be trained; null if it does not wait. */
  queued: z.number().nullable().optional(),
  /** The best agent in the final evaluation; null while the run trains. */
  champion: runChampion.nullable().optional(),
  /** How the last training ended, as its owner names it, and when; null while the run trains. */
  end: z.object({ reason: z.string().nullable(), at: z.number() }).nullable().optional(),
});

/** The fields of a run's record that can change. */
export type RunPatch = {
  readonly [K in Exclude<keyof RunRecord, "id" | "created_at" | "updated_at" | "checkpoint">]?:
    | RunRecord[K]
    | undefined;
};

/** The newest checkpoint of a run. */
export interface RunCheckpoint {
  readonly name: string;
  readonly generation: number;
  readonly global_step: number;
  /** When it was committed; absent in older checkpoints. */
  readonly at?: number;
}

/** One row of the list of runs. Times are milliseconds since 1970. */
export interface RunRecord {
  readonly id: string;
  readonly name: string;
  readonly state: RunStatus;
  readonly reason: string | null;
  readonly generation: number;
  readonly global_step: number;
  readonly best_fitness: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly checkpoint: RunCheckpoint | null;
  // Absent in index rows that an older build wrote.
  readonly max_steps?: number;
  readonly tags?: readonly string[];
  readonly note?: string;
  readonly device?: z.infer<typeof runDevice> | null;
  readonly steps_per_second?: number | null;
  readonly sparkline?: readonly (number | null)[];
  readonly pinned?: readonly string[];
  readonly compared_with?: string;
  readonly after?: string;
  readonly group?: string;
  readonly queued?: number | null;
  readonly champion?: RunChampion | null;
  readonly end?: { readonly reason: string | null; readonly at: number } | null;
}

const runManifest = z.object({
  format: z.literal(RUN_FORMAT),
  version: z.literal(RUN_VERSION),
  id: z.string(),
  name: z.string(),
  created_at: z.number(),
  manifest: z.unknown(),
});

/** The content of a run's `manifest.json`, which never changes. */
export type RunManifest = z.infer<typeof runManifest>;

export function encodeRunManifest(manifest: RunManifest): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** Throws `StorageError` `corrupt` or `version`. */
export function decodeRunManifest(bytes: Uint8Array, path: string): RunManifest {
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new StorageError(
      "corrupt",
      path,
      `is not valid JSON (${reasonOf(error)}); the run cannot be read; delete it`,
    );
  }
  const head = z.looseObject({ format: z.literal(RUN_FORMAT), version: z.int() }).safeParse(raw);
  const migrated = head.success ? migrate(STORED_RUN_FORMAT, head.data.version, head.data, path) : raw;
  const manifest = runManifest.safeParse(migrated);
  if (!manifest.success) {
    throw new StorageError(
      "corrupt",
      path,
      `${z.prettifyError(manifest.error)}; the run cannot be read; delete it`,
    );
  }
  return manifest.data;
}

/** Rebuilds the record of a run from its files alone. */
export function rebuildRecord(
  manifest: RunManifest,
  events: readonly LoggedEvent[],
  checkpoints: readonly CheckpointInfo[],
): RunRecord {
  let record: RunRecord = {
    id: manifest.id,
    name: manifest.name,
    state: "stopped",
    reason: null,
    generation: 0,
    global_step: 0,
    best_fitness: null,
    created_at: manifest.created_at,
    updated_at: manifest.created_at,
    checkpoint: checkpointOf(checkpoints),
  };
  for (const { event } of events) {
    if (event.type !== RUN_EVENT) continue;
    const patch = runPatch.safeParse(event);
    const time = z.number().safeParse(event.updated_at);
    if (patch.success) record = patchRecord(record, patch.data, time.data ?? record.updated_at);
  }
  return record;
}

/**
 * The checked patch; a fitness that is not finite becomes null. Throws `StorageError` `io`
 * for other invalid values.
 */
export function checkRunPatch(patch: RunPatch, path: string): RunPatch {
  const finite = patch.best_fitness === undefined || Number.isFinite(patch.best_fitness);
  const checked = runPatch.safeParse(finite ? patch : { ...patch, best_fitness: null });
  if (checked.success) return checked.data;
  throw new StorageError("io", path, `the run was not changed: ${z.prettifyError(checked.error)}`);
}

export function patchRecord(record: RunRecord, patch: RunPatch, updated_at: number): RunRecord {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...record, ...Object.fromEntries(given), updated_at };
}

/** The record's entry for the newest of `checkpoints`, which are oldest first. */
export function checkpointOf(checkpoints: readonly CheckpointInfo[]): RunCheckpoint | null {
  const newest = checkpoints.at(-1);
  if (newest === undefined) return null;
  return {
    name: newest.name,
    generation: newest.commit.generation,
    global_step: newest.commit.global_step,
    ...(newest.commit.at === undefined ? {} : { at: newest.commit.at }),
  };
}
