/** A run at a generation boundary as files, and back. */
import { z } from "zod";
import type { AgentState } from "../../rl/member/agentState.ts";
import type { Priorities } from "../../rl/runtime/priorities.ts";
import { eachField, type ReplayRows, zerosLike } from "../../rl/runtime/replayRows.ts";
import {
  decodeSafetensors,
  encodeSafetensors,
  migrate,
  SAVED_RUN_FORMAT,
  StorageError,
  type StoredTensor,
} from "../../storage/index.ts";
import type { ReplayState, RunState } from "../loop/runState.ts";
import { type AgentFacts, decodeAgent, encodeAgent } from "./agentFile.ts";

const RunJson = z.object({
  format: z.literal("rlkit.run"),
  version: z.int(),
  seed: z.int(),
  generation: z.int().nonnegative(),
  population: z.int().positive(),
  epsilon: z.number(),
  evolution_due: z.boolean(),
  gpu_workgroups: z.int().positive().nullable().default(null),
  started: z.boolean(),
  replay: z
    .object({
      segment: z.int().positive(),
      rings: z.array(z.object({ position: z.int().nonnegative(), count: z.int().nonnegative() })),
    })
    .refine(
      ({ segment, rings }) => rings.every((r) => r.position < segment && r.count <= segment),
      "rings do not fit their segments",
    )
    .nullable(),
  /** Absent in checkpoints from before it was kept. */
  device: z.enum(["wasm", "webgpu"]).nullable().default(null),
  manifest: z.unknown(),
});

/** A run as it was saved, with what it was made from. */
export interface SavedRun {
  readonly state: RunState;
  readonly seed: number;
  /** The manifest as an object, in the Python relative's keys. */
  readonly manifest: unknown;
}

export const memberFile = (slot: number): string => `member_${slot}.safetensors`;
export const ELITE_FILE = "elite.safetensors";
export const RUN_FILE = "run.json";
export const replayFile = (slot: number): string => `replay_${slot}.safetensors`;

/** Numbers in a row of a field. */
const rowWidth = ({ segments, segment }: ReplayState, slot: number, field: keyof ReplayRows): number =>
  (segments[slot] as ReplayRows)[field].length / segment;

function encodeSegment(replay: ReplayState, slot: number): Uint8Array {
  const rows = replay.segments[slot] as ReplayRows;
  const { count } = replay.rings[slot] as ReplayState["rings"][number];
  const fields = (Object.keys(rows) as (keyof ReplayRows)[]).map((field): [string, StoredTensor] => {
    const width = rowWidth(replay, slot, field);
    return [field, { shape: [count, width], data: rows[field].slice(0, count * width) }];
  });
  const own = replay.priorities?.[slot];
  if (own) {
    fields.push([PRIORITIES, { shape: [own.leaves.length], data: own.leaves }]);
    fields.push([LARGEST, { shape: [1], data: Float32Array.of(own.largest) }]);
  }
  return encodeSafetensors(fields);
}

/** Tensors of a segment's file where members sample by priority: its member's for all rows, and the largest. */
const PRIORITIES = "priorities";
const LARGEST = "largest_priority";

function decodePriorities(bytes: Uint8Array, path: string, rows: number): Priorities | null {
  const { tensors } = decodeSafetensors(bytes, path);
  const [leaves, largest] = [tensors.get(PRIORITIES), tensors.get(LARGEST)];
  if (!leaves && !largest) return null;
  const fits = leaves?.data instanceof Float32Array && leaves.data.length === rows;
  if (!fits || !(largest?.data instanceof Float32Array) || largest.data.length !== 1)
    throw new StorageError("corrupt", path, "has priorities that do not fit; use an older checkpoint");
  return { leaves: leaves.data as Float32Array, largest: largest.data[0] as number };
}

/** The files of a checkpoint; the commit record is the store's. */
export function encodeRun(
  { state, seed, manifest }: SavedRun,
  facts: Partial<AgentFacts> = {},
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  state.members.forEach((member, slot) => files.set(memberFile(slot), encodeAgent(member, facts)));
  if (state.elite) files.set(ELITE_FILE, encodeAgent(state.elite, facts));
  const { replay } = state;
  replay?.rings.forEach((_ring, slot) => files.set(replayFile(slot), encodeSegment(replay, slot)));
  const run: z.input<typeof RunJson> = {
    format: "rlkit.run",
    version: SAVED_RUN_FORMAT.version,
    seed,
    generation: state.generation,
    population: state.members.length,
    epsilon: state.epsilon,
    evolution_due: state.evolution_due,
    gpu_workgroups: state.gpu_workgroups,
    started: state.started,
    device: state.device,
    replay: replay ? { segment: replay.segment, rings: [...replay.rings] } : null,
    manifest,
  };
  files.set(RUN_FILE, new TextEncoder().encode(JSON.stringify(run, null, 2)));
  return files;
}

function missing(dir: string, name: string): StorageError {
  return new StorageError(
    "corrupt",
    `${dir}/${name}`,
    "is missing from the checkpoint; use an older checkpoint",
  );
}

/**
 * Reads a checkpoint's files.
 * @param saved As `readCheckpoint` gives them: it has verified their hashes.
 * @throws StorageError "corrupt" or "version", naming the file.
 */
export function decodeRun(saved: ReadonlyMap<string, Uint8Array>, dir: string): SavedRun {
  const runJson = saved.get(RUN_FILE);
  if (!runJson) throw missing(dir, RUN_FILE);
  const { run, files } = currentRun(runJson, saved, `${dir}/${RUN_FILE}`);
  const fileOf = (name: string): Uint8Array => {
    const bytes = files.get(name);
    if (!bytes) throw missing(dir, name);
    return bytes;
  };
  const agent = (name: string): AgentState =>
    decodeAgent(fileOf(name), `${dir}/${name}`, { verified: true }).agent;
  const members = Array.from({ length: run.population }, (_, slot) => agent(memberFile(slot)));
  const elite = files.has(ELITE_FILE) ? agent(ELITE_FILE) : null;
  const { generation, epsilon, evolution_due, gpu_workgroups, started, device, seed, manifest } = run;
  const priorities = run.replay?.rings.map((_ring, slot) =>
    decodePriorities(
      fileOf(replayFile(slot)),
      `${dir}/${replayFile(slot)}`,
      (run.replay?.segment ?? 0) * run.population,
    ),
  );
  const replay = run.replay
    ? {
        ...run.replay,
        priorities: priorities?.every((own) => own !== null) ? priorities : null,
        segments: run.replay.rings.map(({ count }, slot) =>
          decodeSegment(
            fileOf(replayFile(slot)),
            `${dir}/${replayFile(slot)}`,
            run.replay?.segment ?? 0,
            count,
          ),
        ),
      }
    : null;
  const position = { generation, epsilon, evolution_due, gpu_workgroups, started, device };
  const state = { ...position, members, elite, replay };
  return { state, seed, manifest };
}

/** A checkpoint of any version that is read as one of today's. */
function currentRun(
  bytes: Uint8Array,
  files: ReadonlyMap<string, Uint8Array>,
  path: string,
): { readonly run: z.output<typeof RunJson>; readonly files: ReadonlyMap<string, Uint8Array> } {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new StorageError("corrupt", path, "is not JSON; use an older checkpoint");
  }
  const refuse = (error: z.ZodError): never => {
    const [issue] = error.issues;
    throw new StorageError(
      "corrupt",
      path,
      `is not a saved run: ${issue?.path.join(".")} ${issue?.message}; use an older checkpoint`,
    );
  };
  // Of another version, the other fields may be anything.
  const head = RunJson.pick({ format: true, version: true }).loose().safeParse(json);
  if (!head.success) return refuse(head.error);
  const current = migrate(SAVED_RUN_FORMAT, head.data.version, { run: head.data, files }, path);
  const parsed = RunJson.safeParse(current.run);
  if (!parsed.success) return refuse(parsed.error);
  const { replay, population } = parsed.data;
  if (replay && replay.rings.length !== population) {
    throw new StorageError(
      "corrupt",
      path,
      `has ${replay.rings.length} rings in its replay memory for ${population} members; use an older checkpoint`,
    );
  }
  return { run: parsed.data, files: current.files };
}

function decodeSegment(bytes: Uint8Array, path: string, segment: number, count: number): ReplayRows {
  const { tensors } = decodeSafetensors(bytes, path);
  const field = (name: keyof ReplayRows) => {
    const stored = tensors.get(name);
    if (!stored) throw new StorageError("corrupt", path, `has no field ${name}; use an older checkpoint`);
    const [rows, width = 1] = stored.shape;
    if (rows !== count) {
      throw new StorageError(
        "corrupt",
        path,
        `has ${rows} transitions in field ${name}, ${RUN_FILE} says ${count}; use an older checkpoint`,
      );
    }
    const whole = zerosLike(stored.data, segment * width);
    whole.set(stored.data);
    return whole;
  };
  return eachField(field);
}
