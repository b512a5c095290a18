/** Where runs wait for workers: a queue for each resource. */
import { Queue } from "bullmq";
import { RESOURCE_IDS } from "../worker/resources.ts";
import type { Queues } from "./Queues.ts";
import { type RunJob, runJobId, runQueueName } from "./runJob.ts";

/** How a run's job stands; "missing" where there is none. */
export type JobState = "waiting" | "active" | "completed" | "failed" | "missing";

/** A run's job, and where it waits. */
export interface QueuedRun extends RunJob {
  readonly resource_id: string;
}

const makeQueue = (queues: Queues, resource_id: string) => {
  const queue = new Queue(runQueueName(resource_id), { connection: queues.connection }, queues.backend);
  queue.on("error", (error) => queues.failed(error));
  return queue;
};

export class RunQueue {
  readonly #queues: ReadonlyMap<string, ReturnType<typeof makeQueue>>;

  constructor(queues: Queues) {
    this.#queues = new Map(RESOURCE_IDS.map((resource_id) => [resource_id, makeQueue(queues, resource_id)]));
  }

  /** Adds a run's job; the same one again changes nothing. */
  async add({ resource_id, run, launch }: QueuedRun): Promise<void> {
    const job: RunJob = { run, launch };
    await this.#of(resource_id).add("run", job, { jobId: runJobId(job) });
  }

  async state(queued: QueuedRun): Promise<{ readonly state: JobState; readonly reason: string | null }> {
    const found = await this.#of(queued.resource_id).getJob(runJobId(queued));
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

  /** Takes away a job that nobody works on. */
  async remove(queued: QueuedRun): Promise<void> {
    await this.#of(queued.resource_id).remove(runJobId(queued));
  }

  async close(): Promise<void> {
    for (const queue of this.#queues.values()) await queue.close();
  }

  /** @throws RangeError for a resource that there is not. */
  #of(resource_id: string) {
    const found = this.#queues.get(resource_id);
    if (found) return found;
    throw new RangeError(`resource_id: found "${resource_id}", allowed ${RESOURCE_IDS.join(", ")}`);
  }
}
