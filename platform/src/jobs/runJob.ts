/** A run as a job. */
import { z } from "zod";
import { VERSION } from "../../../src/specs/messages.ts";

export const runJobSchema = z.object({ run: z.string(), launch: z.int() });

export type RunJob = z.infer<typeof runJobSchema>;

/** Name of the queue for runs that need a resource. Each rlkit version has its own queues. */
export const runQueueName = (resource_id: string): string => `runs-${VERSION}-${resource_id}`;

export const runJobId = ({ run, launch }: RunJob): string => `${run}-${launch}`;
