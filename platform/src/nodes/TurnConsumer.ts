/** Takes turns of one run from their queue, one per thread at a time, and holds their locks. */
import { WaitingError, Worker } from "bullmq";
import type { Database } from "../database/Database.ts";
import { isConnectionError } from "../database/Outages.ts";
import { consumerOptions, type Queues, whenReady } from "../jobs/Queues.ts";
import {
  type Attempt,
  type TurnAnswer,
  type TurnJob,
  type TurnProgress,
  turnJobSchema,
  turnQueueName,
} from "./turnJob.ts";

interface TurnConsumerOptions {
  readonly database: Database;
  readonly queues: Queues;
  readonly attempt: Attempt;
  readonly threads: number;
  /** Milliseconds without a heartbeat after which a machine loses its turns. */
  readonly lock_ms: number;
  /**
   * Trains a turn.
   * @param tell Reports progress, without waiting for delivery.
   * @returns null if another machine should take the turn.
   */
  readonly train: (job: TurnJob, tell: (progress: TurnProgress) => void) => Promise<TurnAnswer | null>;
}

const makeWorker = ({ queues, attempt, threads, lock_ms, train }: TurnConsumerOptions) => {
  const worker = new Worker(
    turnQueueName(attempt),
    async (job, token): Promise<TurnAnswer> => {
      queues.answered();
      const answer = await train(turnJobSchema.parse(job.data), (progress) => {
        // A lost report is followed by another.
        void job.updateProgress(progress).catch(() => undefined);
      });
      if (answer) return answer;
      await job.moveToWait(token);
      throw new WaitingError();
    },
    { connection: queues.connection, concurrency: threads, ...consumerOptions(lock_ms) },
    queues.backend,
  );
  // Other errors concern turns that now belong to another machine, or no longer exist.
  worker.on("error", (error) => {
    if (isConnectionError(error)) queues.failed(error);
  });
  return worker;
};

export class TurnConsumer {
  readonly #worker: ReturnType<typeof makeWorker>;

  private constructor(worker: ReturnType<typeof makeWorker>) {
    this.#worker = worker;
  }

  static async open(options: TurnConsumerOptions): Promise<TurnConsumer> {
    return new TurnConsumer(await whenReady(options.database, () => makeWorker(options)));
  }

  /** Calls `listener` after each turn whose answer was accepted. */
  onAnswered(listener: () => void): void {
    this.#worker.on("completed", listener);
  }

  /** Stops taking turns, and resolves when the current ones are over. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}
