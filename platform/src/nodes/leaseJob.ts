/** A place for one more machine in a run, as a job. */
import { z } from "zod";
import { VERSION } from "../../../src/specs/messages.ts";
import { sha256Schema } from "../artifacts/ArtifactStore.ts";

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

export const leaseJobId = ({ run, attempt, node }: Omit<LeaseJob, "setup">): string =>
  `${run}-${attempt}-${node}`;
