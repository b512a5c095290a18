/** The shared state of reinforcement-learning members, as part of a checkpoint. */
import { z } from "zod";
import { eachField, type Priorities, type ReplayRows, zerosLike } from "../../agents/members.ts";
import {
  decodeSafetensors,
  encodeSafetensors,
  StorageError,
  type StoredTensor,
} from "../../storage/index.ts";
import { missingFile, parseRecord, RUN_FILE } from "../loop/runFiles.ts";
import type { RunRecord } from "../loop/WorkloadDefinition.ts";
import { decodeLanes, encodeLanes, lanesFile } from "./laneFiles.ts";
import { decodeLeague, encodeLeague, leagueJson } from "./leagueFiles.ts";
import { decodeModule, encodeModule, moduleJson } from "./moduleFile.ts";
import type { ReplayState, RunState, Shared } from "./runState.ts";

const IdentityJson = z.object({
  source: z.string(),
  rows: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const SharedJson = z.object({
  epsilon: z.number(),
  gpu_workgroups: z.int().positive().nullable().default(null),
  replay: z
    .object({
      segment: z.int().positive(),
      rings: z.array(z.object({ position: z.int().nonnegative(), count: z.int().nonnegative() })),
      /** Only present if rows have action masks that the environment's layout does not say. */
      masked: z.literal(true).optional(),
      /** Only present for runs whose members learn by the transitions of the population. */
      collected: z.array(z.int().nonnegative()).optional(),
      dataset: IdentityJson.optional(),
    })
    .refine(
      ({ segment, rings }) => rings.every((r) => r.position < segment && r.count <= segment),
      "rings do not fit their segments",
    )
    .refine(
      ({ rings, collected }) => (collected ?? rings).length === rings.length,
      "collected does not have a number for each ring",
    )
    .nullable(),
  /** Only present for runs that learn from demonstrations. */
  demonstrations: IdentityJson.optional(),
  /** Whether the lanes of a slot have a file, by slot; absent for runs whose episodes end with each generation. */
  lanes: z.array(z.boolean()).optional(),
  /** Only present for runs in a game. */
  league: leagueJson.optional(),
  /** Only present for runs in a user's environment. */
  user_module: moduleJson.optional(),
});

export const replayFile = (slot: number): string => `replay_${slot}.safetensors`;

/** Encodes a run's `run.json` and its replay buffer. */
export function encodeShared(
  { epsilon, replay, gpu_workgroups, user_module, lanes, league, demonstrations }: RunState,
  { seed, generation, population, evolution_due, started, device, manifest }: RunRecord,
) {
  const files = new Map<string, Uint8Array>();
  const { dataset, collected, masked } = replay ?? {};
  if (!dataset)
    replay?.rings.forEach((_ring, slot) => files.set(replayFile(slot), encodeSegment(replay, slot)));
  const module = user_module && encodeModule(user_module);
  if (module) files.set(module.record.file, module.bytes);
  const stored = league && encodeLeague(league);
  for (const [file, bytes] of stored?.files ?? []) files.set(file, bytes);
  lanes?.forEach((own, slot) => own && files.set(lanesFile(slot), encodeLanes(own)));
  const record = {
    seed,
    generation,
    population,
    epsilon,
    evolution_due,
    gpu_workgroups,
    started,
    device,
    replay: replay
      ? {
          segment: replay.segment,
          rings: [...replay.rings],
          ...(masked && { masked }),
          ...(collected && { collected: [...collected] }),
          ...(dataset && { dataset }),
        }
      : null,
    ...(demonstrations && { demonstrations: demonstrations.identity }),
    ...(lanes && { lanes: lanes.map((own) => own !== null) }),
    ...(stored && { league: stored.record }),
    ...(module && { user_module: module.record }),
    manifest,
  };
  return { files, record };
}

/** @throws StorageError "corrupt" naming the file. */
export function decodeShared(record: RunRecord, files: ReadonlyMap<string, Uint8Array>, dir: string): Shared {
  const path = `${dir}/${RUN_FILE}`;
  const { user_module, lanes, league, demonstrations, ...shared } = parseRecord(SharedJson, record, path);
  const module = user_module && { user_module: decodeModule(user_module, files, dir) };
  const lanesOf = (slot: number) => {
    const bytes = files.get(lanesFile(slot));
    if (!bytes) throw missingFile(dir, lanesFile(slot));
    return decodeLanes(bytes, `${dir}/${lanesFile(slot)}`);
  };
  const going = lanes && { lanes: lanes.map((hasFile, slot) => (hasFile ? lanesOf(slot) : null)) };
  const met = league && { league: decodeLeague(league, files, dir) };
  const shown = demonstrations && { demonstrations: { identity: demonstrations } };
  return { ...decodeReplay(shared, { record, files, dir }), ...shown, ...going, ...met, ...module };
}

interface Saved {
  readonly record: RunRecord;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly dir: string;
}

function decodeReplay(
  {
    epsilon,
    gpu_workgroups,
    replay,
  }: Pick<z.output<typeof SharedJson>, "epsilon" | "gpu_workgroups" | "replay">,
  { record, files, dir }: Saved,
): Shared {
  if (!replay) return { epsilon, gpu_workgroups, replay };
  const { segment, rings, collected, dataset, masked } = replay;
  if (rings.length !== record.population) {
    throw new StorageError(
      "corrupt",
      `${dir}/${RUN_FILE}`,
      `has ${rings.length} rings in its replay buffer for ${record.population} members; use an older checkpoint`,
    );
  }
  if (dataset)
    return { epsilon, gpu_workgroups, replay: { segment, rings, segments: [], priorities: null, dataset } };
  const fileOf = (slot: number): Uint8Array => {
    const bytes = files.get(replayFile(slot));
    if (!bytes) throw missingFile(dir, replayFile(slot));
    return bytes;
  };
  const pathOf = (slot: number): string => `${dir}/${replayFile(slot)}`;
  const priorities = rings.map((_ring, slot) =>
    decodePriorities(fileOf(slot), pathOf(slot), segment * record.population),
  );
  const segments = rings.map(({ count }, slot) => decodeSegment(fileOf(slot), pathOf(slot), segment, count));
  const known = priorities.filter((own) => own !== null);
  return {
    epsilon,
    gpu_workgroups,
    replay: {
      segment,
      rings,
      segments,
      priorities: known.length === rings.length ? known : null,
      ...(masked && { masked }),
      ...(collected && { collected }),
    },
  };
}

/** Words in a row of a field. */
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

/**
 * Tensors in a segment's file if members sample by priority: the owner's priorities for all rows, and the
 * largest.
 */
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
