/** What routes work with. */
import type { DirectoryArtifacts } from "../artifacts/DirectoryArtifacts.ts";
import type { Database } from "../database/Database.ts";
import type { Notifications } from "../database/Notifications.ts";
import type { QueuePlace } from "../jobs/Queues.ts";
import type { RunQueue } from "../jobs/RunQueue.ts";
import type { KeyRecord } from "../keys/KeyStore.ts";
import type { Attempt } from "../nodes/turnJob.ts";
import type { ProjectTable } from "../projects/ProjectTable.ts";
import type { RunRow } from "../runs/RunRow.ts";
import type { RunTable } from "../runs/RunTable.ts";
import type { WorkerTable } from "../worker/WorkerTable.ts";
import { notFound } from "./ApiError.ts";
import type { RateLimit } from "./RateLimit.ts";
import type { EventStreams } from "./stream/EventStreams.ts";

export interface Services {
  readonly database: Database;
  readonly runs: RunTable;
  readonly projects: ProjectTable;
  readonly workers: WorkerTable;
  readonly queue: RunQueue;
  /** Where jobs are kept. */
  readonly place: QueuePlace;
  readonly artifacts: DirectoryArtifacts;
  /** What the machines of an attempt pass to each other. */
  readonly turns: (attempt: Attempt) => DirectoryArtifacts;
  readonly changes: Notifications;
  readonly streams: EventStreams;
  readonly submissions: RateLimit;
  readonly log: (message: string) => void;
}

/** The run that a caller names by its id or name. @throws ApiError 404 also for one that its key does not reach. */
export async function requireRun(
  { runs }: Pick<Services, "runs">,
  key: KeyRecord,
  nameOrId: string,
  project: string | null = null,
): Promise<RunRow> {
  const run = await runs.find(nameOrId, key.project ?? project);
  if (run && (project === null || run.project === project)) return run;
  throw notFound(`experiment "${nameOrId}"`);
}
