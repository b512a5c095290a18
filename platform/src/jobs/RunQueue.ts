/** The queues in which runs wait for workers, one per resource. */
import { Queue } from "bullmq";
import { z } from "zod";
import { VERSION } from "../../../src/hosting/index.ts";
import type { ResourceId } from "../worker/resources.ts";
import type { Queues } from "./Queues.ts";

/** A run as a job. */
export const runJobSchema = z.object({ run: z.string(), launch: z.int() });

export type RunJob = z.infer<typeof runJobSchema>;

/** Name of the queue for runs that need a resource. Each rlkit version has its own queues. */
export const runQueueName = (resource_id: string): string => `runs-${VERSION}-${resource_id}`;

const runJobId = ({ run, launch }: RunJob): string => `${run}-${launch}`;

/** State of a run's job; "missing" if there is no job. */
type JobState = "waiting" | "active" | "completed" | "failed" | "missing";

/** A run's job, and the resource whose queue it is in. */
interface QueuedRun extends RunJob {
  readonly resource_id: ResourceId;
}

const makeQueue = (queues: Queues, resource_id: ResourceId) => {
  const queue = new Queue(runQueueName(resource_id), { connection: queues.connection }, queues.backend);
  queue.on("error", (error) => queues.failed(error));
  return queue;
};

export class RunQueue {
  readonly #queues: Readonly<Record<ResourceId, ReturnType<typeof makeQueue>>>;

  constructor(queues: Queues) {
    this.#queues = { cpu: makeQueue(queues, "cpu"), webgpu: makeQueue(queues, "webgpu") };
  }

  /** Adds a run's job. Adding the same job again has no effect. */
  async add({ resource_id, run, launch }: QueuedRun): Promise<void> {
    const job: RunJob = { run, launch };
    await this.#queues[resource_id].add("run", job, { jobId: runJobId(job) });
  }

  async state(queued: QueuedRun): Promise<{ readonly state: JobState; readonly reason: string | null }> {
    const found = await this.#queues[queued.resource_id].getJob(runJobId(queued));
    if (!found) return { state: "missing", reason: null };
    const state = await found.getState();
    const reason = found.failedReason ?? null;
    switch (state) {
      case "active":
      case "completed":
      case "failed":
        return { state, reason };
      case "unknown":
        return { state: "missing", reason };
      default:
        return { state: "waiting", reason };
    }
  }

  /** Removes a job that no worker is processing. */
  async remove(queued: QueuedRun): Promise<void> {
    await this.#queues[queued.resource_id].remove(runJobId(queued));
  }

  async close(): Promise<void> {
    for (const queue of Object.values(this.#queues)) await queue.close();
  }
}
