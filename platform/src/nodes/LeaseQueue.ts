/** The queue in which runs offer places to further machines. */
import { Queue } from "bullmq";
import { z } from "zod";
import { VERSION } from "../../../src/hosting/index.ts";
import { sha256Schema } from "../artifacts/ArtifactStore.ts";
import type { Database } from "../database/Database.ts";
import { type Queues, whenReady } from "../jobs/Queues.ts";

/** A place for one more machine in a run, as a job. */
export const leaseJobSchema = z.strictObject({
  run: z.string(),
  attempt: z.int(),
  /** Number of the machine; the run's driver is number 1. */
  node: z.int(),
  /** Artifact of the run's setup. */
  setup: sha256Schema,
});

export type LeaseJob = z.infer<typeof leaseJobSchema>;

/** Name of the queue of places for machines of a resource. Each rlkit version has its own queues. */
export const leaseQueueName = (resource_id: string): string => `nodes-${VERSION}-${resource_id}`;

const leaseJobId = ({ run, attempt, node }: Omit<LeaseJob, "setup">): string => `${run}-${attempt}-${node}`;

const makeQueue = (queues: Queues, resource_id: string) => {
  const queue = new Queue(leaseQueueName(resource_id), { connection: queues.connection }, queues.backend);
  queue.on("error", (error) => queues.failed(error));
  return queue;
};

export class LeaseQueue {
  readonly #queue: ReturnType<typeof makeQueue>;

  private constructor(queue: ReturnType<typeof makeQueue>) {
    this.#queue = queue;
  }

  static async open(database: Database, queues: Queues, resource_id: string): Promise<LeaseQueue> {
    return new LeaseQueue(await whenReady(database, () => makeQueue(queues, resource_id)));
  }

  /** Offers a place. Has no effect if it is already offered or taken. */
  async offer(lease: LeaseJob): Promise<void> {
    // Removed as soon as it ends, so that the same place can be offered again.
    const options = { jobId: leaseJobId(lease), removeOnComplete: true, removeOnFail: true };
    await this.#queue.add("node", lease, options);
  }

  /** Withdraws a place that no machine has taken. */
  async withdraw(lease: Omit<LeaseJob, "setup">): Promise<void> {
    await this.#queue.remove(leaseJobId(lease));
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}
