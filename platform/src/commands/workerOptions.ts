/** Options of a worker, accepted by `worker` and by `serve`, which starts one. */
import type { CommandLine, OptionDefinition } from "../../../src/cli/CommandLine.ts";
import { CPU_RESOURCE, RESOURCE_IDS, type ResourceId } from "../worker/resources.ts";

export const WORKER_OPTIONS: Readonly<Record<string, OptionDefinition>> = {
  resource: {
    value: RESOURCE_IDS.join("|"),
    help: `Resource to train on. The worker takes only runs that request it (default: ${CPU_RESOURCE}).`,
  },
  threads: { value: "N", help: "Number of training threads (default: the number of cores)." },
  "fetch-datasets": {
    help: "Lets runs download data sets from the hub (hub_dataset_id with remote: true).",
  },
};

export const TIMING_OPTIONS: Readonly<Record<string, OptionDefinition>> = {
  "lock-ms": {
    value: "N",
    help: "Milliseconds without a heartbeat after which a worker loses its run (default: 30000).",
  },
  "checkpoint-ms": {
    value: "N",
    help: "Milliseconds between checkpoints if the run's manifest sets no interval; 0 means every generation (default: 30000).",
  },
};

/** A machine that is merely busy would lose a shorter lock. */
const SHORTEST_LOCK_MS = 1000;

export function workerOptions(line: CommandLine): {
  resource_id: ResourceId;
  cores?: number;
  lock_ms?: number;
  checkpoint_ms?: number;
  fetches: boolean;
} {
  const cores = line.integer("threads", 1);
  const lock_ms = line.integer("lock-ms", SHORTEST_LOCK_MS);
  const checkpoint_ms = line.integer("checkpoint-ms", 0);
  return {
    resource_id: line.choice("resource", RESOURCE_IDS) ?? CPU_RESOURCE,
    ...(cores === null ? {} : { cores }),
    ...(lock_ms === null ? {} : { lock_ms }),
    ...(checkpoint_ms === null ? {} : { checkpoint_ms }),
    fetches: line.flag("fetch-datasets"),
  };
}
