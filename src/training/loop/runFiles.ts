/** The files of a run at a generation boundary, as far as they are common to all workloads. */
import { SAVED_RUN_FORMAT, StorageError } from "../../storage/index.ts";
import type { RunState } from "./runState.ts";
import type { Kinds } from "./Workload.ts";
import type { RunFiles, RunRecord } from "./WorkloadDefinition.ts";

/** A saved run, with the manifest and seed that it was created from. */
export interface SavedRun<K extends Kinds = Kinds> {
  readonly state: RunState<K>;
  readonly seed: number;
  /** The manifest as an object, in the Python relative's keys. */
  readonly manifest: unknown;
}

export const memberFile = (slot: number): string => `member_${slot}.safetensors`;
export const ELITE_FILE = "elite.safetensors";
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
  const { generation, members, evolution_due, started, device } = state;
  const population = members.length;
  const common: RunRecord = { seed, generation, population, evolution_due, started, device, manifest };
  const shared = files.encodeShared(state, common);
  for (const [name, bytes] of shared.files) all.set(name, bytes);
  const run = { format: "rlkit.run", version: SAVED_RUN_FORMAT.version, ...shared.record };
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
        return agent;
      } catch (error) {
        throw new StorageError("corrupt", path, "is not JSON; use an older checkpoint", { cause: error });
      }
    },
    encodeShared: (_state, record) => ({ files: new Map(), record: { workload, ...record } }),
    decodeShared: () => ({}),
  };
}
