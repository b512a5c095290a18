/** The fields of a checkpoint's `run.json` that are common to all workloads. */
import { z } from "zod";
import { migrate, SAVED_RUN_FORMAT, StorageError } from "../../storage/index.ts";
import type { RunRecord } from "./WorkloadDefinition.ts";

const RunJson = z
  .object({
    format: z.literal("rlkit.run"),
    version: z.int(),
    /** Absent in checkpoints of reinforcement learning, which was the first workload. */
    workload: z.string().default("rl"),
    seed: z.int(),
    generation: z.int().nonnegative(),
    population: z.int().positive(),
    evolution_due: z.boolean(),
    started: z.boolean(),
    /** Absent in older checkpoints. */
    device: z.enum(["wasm", "webgpu"]).nullable().default(null),
    manifest: z.unknown(),
  })
  .loose();

export function missingFile(dir: string, name: string): StorageError {
  return new StorageError(
    "corrupt",
    `${dir}/${name}`,
    "is missing from the checkpoint; use an older checkpoint",
  );
}

/** @throws StorageError "corrupt" for a record that does not match the schema. */
export function parseRecord<Schema extends z.ZodType>(
  schema: Schema,
  record: unknown,
  path: string,
): z.output<Schema> {
  const parsed = schema.safeParse(record);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StorageError(
    "corrupt",
    path,
    `is not a saved run: ${issue?.path.join(".")} ${issue?.message}; use an older checkpoint`,
  );
}

/**
 * Migrates a record of any supported version to the current one.
 * @throws StorageError "corrupt" or "version".
 */
export function currentRecord(
  bytes: Uint8Array,
  files: ReadonlyMap<string, Uint8Array>,
  path: string,
): {
  readonly record: RunRecord & { readonly workload: string };
  readonly files: ReadonlyMap<string, Uint8Array>;
} {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new StorageError("corrupt", path, "is not JSON; use an older checkpoint");
  }
  // In other versions, the other fields may differ.
  const head = parseRecord(RunJson.pick({ format: true, version: true }).loose(), json, path);
  const current = migrate(SAVED_RUN_FORMAT, head.version, { run: head, files }, path);
  return { record: parseRecord(RunJson, current.run, path), files: current.files };
}
