/** Takes runs from the queue, one at a time, and holds their locks while they train. */
import { WaitingError, Worker } from "bullmq";
import { consumerOptions } from "./consumerOptions.ts";
import type { Queues } from "./Queues.ts";
import { type RunJob, runJobSchema, runQueueName } from "./runJob.ts";

export interface RunConsumerOptions {
  readonly queues: Queues;
  readonly resource_id: string;
  /** Milliseconds after which a worker that gave no sign of life loses its run. */
  readonly lock_ms: number;
  /** Trains a run. @returns "released" where another worker is to go on with it. */
  readonly train: (job: RunJob) => Promise<"done" | "released">;
}

export class RunConsumer {
  readonly #worker;

  constructor({ queues, resource_id, lock_ms, train }: RunConsumerOptions) {
    this.#worker = new Worker(
      runQueueName(resource_id),
      async (job, token) => {
        queues.answered();
        if ((await train(runJobSchema.parse(job.data))) === "done") return;
        await job.moveToWait(token);
        throw new WaitingError();
      },
      {
        connection: queues.connection,
        concurrency: 1,
        ...consumerOptions(lock_ms),
      },
      queues.backend,
    );
    this.#worker.on("error", (error) => queues.failed(error));
  }

  /** Takes no more runs until `resume`. */
  async hold(): Promise<void> {
    await this.#worker.pause(true);
  }

  async resume(): Promise<void> {
    await this.#worker.resume();
  }

  /** Takes no more runs, and resolves when the one under way has ended. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}
