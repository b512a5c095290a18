/** Options of a worker, accepted by `worker` and by `serve`, which starts one. */
import type { CommandLine, OptionDefinition } from "../../../src/cli/CommandLine.ts";
import { CPU_RESOURCE, RESOURCE_IDS, type ResourceId } from "../worker/resources.ts";

export const WORKER_OPTIONS: Readonly<Record<string, OptionDefinition>> = {
  resource: {
    value: RESOURCE_IDS.join("|"),
    help: `What it trains runs on, and which runs it takes; ${CPU_RESOURCE} unless given.`,
  },
  threads: { value: "N", help: "Threads that it trains in; as many as cores unless given." },
};

export const TIMING_OPTIONS: Readonly<Record<string, OptionDefinition>> = {
  "lock-ms": {
    value: "N",
    help: "Milliseconds without a sign of life after which a worker loses its run; 30000 unless given.",
  },
  "checkpoint-ms": {
    value: "N",
    help: "Milliseconds between a run's checkpoints where its manifest does not say, 0 for every generation; 30000 unless given.",
  },
};

/** A machine that is merely busy would lose a shorter lock. */
const SHORTEST_LOCK_MS = 1000;

export function workerOptions(line: CommandLine): {
  resource_id: ResourceId;
  cores?: number;
  lock_ms?: number;
  checkpoint_ms?: number;
} {
  const cores = line.integer("threads", 1);
  const lock_ms = line.integer("lock-ms", SHORTEST_LOCK_MS);
  const checkpoint_ms = line.integer("checkpoint-ms", 0);
  return {
    resource_id: line.choice("resource", RESOURCE_IDS) ?? CPU_RESOURCE,
    ...(cores === null ? {} : { cores }),
    ...(lock_ms === null ? {} : { lock_ms }),
    ...(checkpoint_ms === null ? {} : { checkpoint_ms }),
  };
}
