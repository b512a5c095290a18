/** Takes jobs from a queue, one at a time, and holds their locks while they are worked at. */
import { WaitingError, Worker } from "bullmq";
import type { z } from "zod";
import { consumerOptions } from "./consumerOptions.ts";
import type { Queues } from "./Queues.ts";

export interface JobConsumerOptions<Job> {
  readonly queues: Queues;
  /** Name of the queue. */
  readonly name: string;
  /** What a job of this queue is. */
  readonly schema: z.ZodType<Job>;
  /** Milliseconds after which a worker that gave no sign of life loses its job. */
  readonly lock_ms: number;
  /** Works at a job. @returns "released" where another worker is to have it. */
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

  /** Takes no more jobs until `resume`. */
  async hold(): Promise<void> {
    await this.#worker.pause(true);
  }

  async resume(): Promise<void> {
    await this.#worker.resume();
  }

  /** Takes no more jobs, and resolves when the one under way has ended. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}
