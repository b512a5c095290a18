/** The files of a run at a generation boundary, as far as they are common to all workloads. */

import { z } from "zod";
import { HPO_RECIPE } from "../../manifests/index.ts";
import { migrate, SAVED_RUN_FORMAT, StorageError } from "../../storage/index.ts";
import { plateauSchema } from "./earlyStopping.ts";
import type { Kinds, RunState } from "./Workload.ts";
import type { RunFiles, RunRecord } from "./WorkloadDefinition.ts";

/** The fields of a checkpoint's `run.json` that are common to all workloads. */
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
    /** Absent in checkpoints of the first recipe of hpo. */
    recipe: z.int().default(1),
    /** Absent if no member rests. */
    resting: z.array(z.int().nonnegative()).optional(),
    /** Absent if no member is guarded. */
    guarded: z.array(z.int().nonnegative()).optional(),
    /** Absent without early stopping, and before the first evaluation. */
    plateau: plateauSchema.optional(),
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
 * @internal
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

/** A saved run, with the manifest and seed that it was created from. */
export interface SavedRun<K extends Kinds = Kinds> {
  readonly state: RunState<K>;
  readonly seed: number;
  /** The manifest as an object, in AgileRL's keys. */
  readonly manifest: unknown;
}

export const memberFile = (slot: number): string => `member_${slot}.safetensors`;
export const ELITE_FILE = "elite.safetensors";
/** The fittest member ever seen, unless that is the elite. */
export const CHAMPION_FILE = "champion.safetensors";
export const RUN_FILE = "run.json";

/**
 * File name of an agent saved as `path`: it ends in ".safetensors", also if `path` ends in ".pt" or has no
 * extension.
 */
export const agentFileName = (path: string): string =>
  `${path.replace(/\.(safetensors|pt)$/, "")}.safetensors`;

/**
 * The files of a checkpoint; the store writes the commit record.
 * @param facts Additional information for members' files.
 */
export function encodeRun<K extends Kinds>(
  files: RunFiles<K>,
  { state, seed, manifest }: SavedRun<K>,
  facts: object = {},
): Map<string, Uint8Array> {
  const all = new Map<string, Uint8Array>();
  state.members.forEach((member, slot) => all.set(memberFile(slot), files.encodeAgent(member, facts)));
  if (state.elite) all.set(ELITE_FILE, files.encodeAgent(state.elite, facts));
  const { generation, members, evolution_due, started, device, champion } = state;
  const { resting = [], guarded = [] } = state;
  if (champion && champion !== state.elite) all.set(CHAMPION_FILE, files.encodeAgent(champion, facts));
  const population = members.length;
  const common: RunRecord = { seed, generation, population, evolution_due, started, device, manifest };
  const shared = files.encodeShared(state, common);
  for (const [name, bytes] of shared.files) all.set(name, bytes);
  const run = {
    format: "rlkit.run",
    version: SAVED_RUN_FORMAT.version,
    ...shared.record,
    recipe: state.recipe ?? HPO_RECIPE,
    ...(resting.length > 0 && { resting }),
    ...(guarded.length > 0 && { guarded }),
    ...(state.plateau && { plateau: state.plateau }),
  };
  all.set(RUN_FILE, new TextEncoder().encode(JSON.stringify(run, null, 2)));
  return all;
}

/**
 * Checkpoint files of workloads whose members are plain JSON and share no state.
 * @param workload The workload's name, as stored in checkpoints.
 */
export function jsonFiles<K extends Kinds>(workload: string): RunFiles<K> {
  return {
    encodeAgent: (agent) => new TextEncoder().encode(JSON.stringify({ workload, agent })),
    decodeAgent: (bytes, path) => {
      try {
        const { agent } = JSON.parse(new TextDecoder().decode(bytes)) as { agent: K["agent"] };
        // JSON has no NaN, so a fitness that is not finite is stored as null.
        return { ...agent, fitness: agent.fitness.map((value) => value ?? Number.NaN) };
      } catch (error) {
        throw new StorageError("corrupt", path, "is not JSON; use an older checkpoint", { cause: error });
      }
    },
    encodeShared: (_state, record) => ({ files: new Map(), record: { workload, ...record } }),
    decodeShared: () => ({}),
  };
}
