/** A place for one more machine in a run, as a job. */
import { z } from "zod";
import { VERSION } from "../../../src/specs/version.ts";
import { sha256Schema } from "../artifacts/sha256Schema.ts";

export const leaseJobSchema = z.strictObject({
  run: z.string(),
  attempt: z.int(),
  /** Number of the machine: the one that drives the run is the first. */
  node: z.int(),
  /** Artifact of what the run's machines are opened with. */
  setup: sha256Schema,
});

export type LeaseJob = z.infer<typeof leaseJobSchema>;

/** The queue of places for machines of a resource. Workers of another version have another. */
export const leaseQueueName = (resource_id: string): string => `nodes-${VERSION}-${resource_id}`;

export const leaseJobId = ({ run, attempt, node }: Omit<LeaseJob, "setup">): string =>
  `${run}-${attempt}-${node}`;
