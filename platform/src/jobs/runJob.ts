/** A run as a job. */
import { z } from "zod";
import { VERSION } from "../../../src/specs/version.ts";

export const runJobSchema = z.object({ run: z.string(), launch: z.int() });

export type RunJob = z.infer<typeof runJobSchema>;

/** The queue of runs that need a resource. Workers of another version have another. */
export const runQueueName = (resource_id: string): string => `runs-${VERSION}-${resource_id}`;

export const runJobId = ({ run, launch }: RunJob): string => `${run}-${launch}`;
