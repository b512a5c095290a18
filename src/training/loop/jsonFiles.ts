/** Checkpoint files of workloads whose members are plain JSON and share no state. */
import { StorageError } from "../../storage/index.ts";
import type { Kinds } from "./Workload.ts";
import type { RunFiles } from "./WorkloadDefinition.ts";

/** @param workload The workload's name, as stored in checkpoints. */
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
