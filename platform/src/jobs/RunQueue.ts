/** Where runs wait for workers. */
import { Queue } from "bullmq";
import type { Queues } from "./Queues.ts";
import { type RunJob, runJobId, runQueueName } from "./runJob.ts";

/** How a run's job stands; "missing" where there is none. */
export type JobState = "waiting" | "active" | "completed" | "failed" | "missing";

export class RunQueue {
  readonly #queue;

  constructor(queues: Queues, resource_id: string) {
    this.#queue = new Queue(runQueueName(resource_id), { connection: queues.connection }, queues.backend);
    this.#queue.on("error", (error) => queues.failed(error));
  }

  /** Adds a run's job; the same one again changes nothing. */
  async add(job: RunJob): Promise<void> {
    await this.#queue.add("run", job, { jobId: runJobId(job) });
  }

  async state(job: RunJob): Promise<{ readonly state: JobState; readonly reason: string | null }> {
    const found = await this.#queue.getJob(runJobId(job));
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
  async remove(job: RunJob): Promise<void> {
    await this.#queue.remove(runJobId(job));
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}
