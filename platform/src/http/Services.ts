/** The services that routes use. */
import type { DirectoryArtifacts } from "../artifacts/DirectoryArtifacts.ts";
import type { Database } from "../database/Database.ts";
import type { Notifications } from "../database/Notifications.ts";
import type { DatasetTable } from "../datasets/DatasetTable.ts";
import type { QueuePlace } from "../jobs/Queues.ts";
import type { RunQueue } from "../jobs/RunQueue.ts";
import type { KeyRecord } from "../keys/KeyStore.ts";
import type { Attempt } from "../nodes/turnJob.ts";
import type { PlayTable } from "../plays/PlayTable.ts";
import { DEFAULT_PROJECT, type ProjectTable } from "../projects/ProjectTable.ts";
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
  readonly datasets: DatasetTable;
  readonly plays: PlayTable;
  readonly queue: RunQueue;
  /** Where jobs are kept: the database or Redis. */
  readonly place: QueuePlace;
  readonly artifacts: DirectoryArtifacts;
  /** Opens the store of the artifacts that an attempt's machines exchange. */
  readonly turns: (attempt: Attempt) => DirectoryArtifacts;
  readonly changes: Notifications;
  readonly streams: EventStreams;
  readonly submissions: RateLimit;
  /** Whether runs may download data sets from the hub. */
  readonly fetches: boolean;
  readonly log: (message: string) => void;
}

/**
 * The project that a call adds to: the given one, that of the key, or the default.
 * @throws ApiError 404 if it does not exist, or the key may not access it.
 */
export async function requireProject(
  { projects }: Pick<Services, "projects">,
  key: KeyRecord,
  given: string | null,
): Promise<string> {
  const project = given ?? key.project ?? DEFAULT_PROJECT;
  const isOther = key.project !== null && project !== key.project;
  if (isOther || !(await projects.has(project))) throw notFound(`project "${project}"`);
  return project;
}

/** Finds a run by its ID or name. @throws ApiError 404 if it does not exist, or the key may not access it. */
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
