/** What the tracker of a service is made from. */
import { z } from "zod";
import type { FileStore } from "../storage/index.ts";
import { timestampOf } from "./board/BoardTracker.ts";
import type { Tracker } from "./Tracker.ts";

const text = z.string();

/** Entries of `tracker_kwargs` that services read, besides `tracker`. */
export const TRACKER_SETTINGS = {
  project: text,
  entity: text,
  name: text,
  id: z.string().regex(/^[\w-]+$/, "must be letters, digits, _ and -"),
  group: text,
  job_type: text,
  tags: z.array(z.string()),
  notes: text,
  config: z.record(z.string(), z.unknown()),
  mode: z.enum(["online", "disabled"]),
  resume: z.enum(["allow", "must"]),
  base_url: text,
  tracking_uri: text,
  experiment_name: text,
} as const;

const Settings = z.object(TRACKER_SETTINGS).partial();
export type TrackerSettings = z.output<typeof Settings>;

export interface ExperimentOptions {
  readonly tracker_api_key: string | null;
  readonly tracker_kwargs: Readonly<Record<string, unknown>> | null;
  readonly algorithm: string;
  readonly environment: string;
  readonly multi_agent: boolean;
  /** The options and manifest of the run. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly store: FileStore;
  readonly onFailure: (tracker: Tracker, error: unknown) => void;
  readonly warn: (message: string) => void;
}

/** The project of a run that names none. */
export const projectOf = ({ multi_agent }: ExperimentOptions): string =>
  multi_agent ? "rlkit-multi-agent" : "rlkit";

/** The name of a run that has none. */
export const runNameOf = ({ algorithm, environment }: ExperimentOptions): string =>
  `${environment}-EvoHPO-${algorithm}-${timestampOf(new Date())}`;
