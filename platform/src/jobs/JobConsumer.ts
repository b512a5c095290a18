/** Takes jobs from a queue, one at a time, and holds each job's lock while it is processed. */
import { WaitingError, Worker } from "bullmq";
import type { z } from "zod";
import { consumerOptions, type Queues } from "./Queues.ts";

interface JobConsumerOptions<Job> {
  readonly queues: Queues;
  /** Name of the queue. */
  readonly name: string;
  /** Schema of this queue's jobs. */
  readonly schema: z.ZodType<Job>;
  /** Milliseconds without a heartbeat after which a worker loses its job. */
  readonly lock_ms: number;
  /** Processes a job. @returns "released" if another worker should take it. */
  readonly work: (job: Job) => Promise<"done" | "released">;
}

export class JobConsumer<Job> {
  readonly #worker;

  constructor({ queues, name, schema, lock_ms, work }: JobConsumerOptions<Job>) {
    this.#worker = new Worker(
      name,
      async (job, token) => {
        queues.answered();
        if ((await work(schema.parse(job.data))) === "done") return;
        await job.moveToWait(token);
        throw new WaitingError();
      },
      { connection: queues.connection, concurrency: 1, ...consumerOptions(lock_ms) },
      queues.backend,
    );
    this.#worker.on("error", (error) => queues.failed(error));
  }

  /** Stops taking jobs until `resume`. */
  async hold(): Promise<void> {
    await this.#worker.pause(true);
  }

  async resume(): Promise<void> {
    await this.#worker.resume();
  }

  /** Stops taking jobs, and resolves when the current one has ended. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}
