/** Takes places in runs that other machines drive, one at a time, and holds their locks. */
import { WaitingError, Worker } from "bullmq";
import { consumerOptions } from "../jobs/consumerOptions.ts";
import type { Queues } from "../jobs/Queues.ts";
import { type LeaseJob, leaseJobSchema, leaseQueueName } from "./leaseJob.ts";

export interface LeaseConsumerOptions {
  readonly queues: Queues;
  readonly resource_id: string;
  /** Milliseconds after which a worker that gave no sign of life loses its place. */
  readonly lock_ms: number;
  /** Works at a place. @returns "released" where another worker is to have it. */
  readonly work: (lease: LeaseJob) => Promise<"done" | "released">;
}

export class LeaseConsumer {
  readonly #worker;

  constructor({ queues, resource_id, lock_ms, work }: LeaseConsumerOptions) {
    this.#worker = new Worker(
      leaseQueueName(resource_id),
      async (job, token) => {
        queues.answered();
        if ((await work(leaseJobSchema.parse(job.data))) === "done") return;
        await job.moveToWait(token);
        throw new WaitingError();
      },
      { connection: queues.connection, concurrency: 1, ...consumerOptions(lock_ms) },
      queues.backend,
    );
    this.#worker.on("error", (error) => queues.failed(error));
  }

  /** Takes no more places until `resume`. */
  async hold(): Promise<void> {
    await this.#worker.pause(true);
  }

  async resume(): Promise<void> {
    await this.#worker.resume();
  }

  /** Takes no more places, and resolves when the one that it has is left. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}
