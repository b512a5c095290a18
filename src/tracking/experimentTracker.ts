/** The experiment tracker that the option `wb` enables. */

import { environmentVariable, requireAddress } from "../http/access.ts";
import type { FileStore } from "../storage/index.ts";
import { timestampOf } from "./board/BoardTracker.ts";
import { MlflowTracker } from "./mlflow/MlflowTracker.ts";
import { requireKey, trackerKey } from "./remote/trackerKey.ts";
import { type Tracker, TrackerRefusedError } from "./Tracker.ts";
import { parseTrackerKwargs, type TrackerKwargs } from "./trackerKwargs.ts";
import { WandbTracker } from "./wandb/WandbTracker.ts";

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

const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A run id of 8 characters from a-z and 0-9. It does not use the run's random numbers. */
function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => DIGITS[byte % DIGITS.length]).join("");
}

/**
 * @returns null if the tracker is disabled (`mode` or WANDB_MODE is "disabled").
 * @throws TypeError for `tracker_kwargs`; RangeError for an address; TrackerRefusedError without a key.
 */
export async function experimentTracker(options: ExperimentOptions): Promise<Tracker | null> {
  const kwargs = parseTrackerKwargs(options.tracker_kwargs);
  const chosen = kwargs.tracker ?? environmentVariable("RLKIT_TRACKER") ?? "wandb";
  if (typeof chosen === "object") return chosen;
  if (chosen !== "wandb" && chosen !== "mlflow")
    throw new RangeError(`RLKIT_TRACKER: found ${JSON.stringify(chosen)}, allowed wandb and mlflow`);
  return chosen === "wandb" ? wandb(options, kwargs) : mlflow(options, kwargs);
}

const projectOf = ({ multi_agent }: ExperimentOptions): string =>
  multi_agent ? "rlkit-multi-agent" : "rlkit";
const nameOf = ({ algorithm, environment }: ExperimentOptions): string =>
  `${environment}-EvoHPO-${algorithm}-${timestampOf(new Date())}`;

async function wandb(options: ExperimentOptions, kwargs: TrackerKwargs): Promise<Tracker | null> {
  if ((kwargs.mode ?? environmentVariable("WANDB_MODE")) === "disabled") return null;
  const { store, tracker_api_key, onFailure, warn } = options;
  const address = kwargs.base_url ?? environmentVariable("WANDB_BASE_URL") ?? "https://api.wandb.ai";
  const base = requireAddress(address, "tracker_kwargs.base_url");
  const api_key = await trackerKey(tracker_api_key, "WANDB_API_KEY", base, store);
  if (api_key === null)
    throw new TrackerRefusedError("tracker_api_key: found none; give it, set WANDB_API_KEY, or leave wb out");
  const tags = environmentVariable("WANDB_TAGS")?.split(",") ?? [];
  const run = {
    project: kwargs.project ?? environmentVariable("WANDB_PROJECT") ?? projectOf(options),
    entity: kwargs.entity ?? environmentVariable("WANDB_ENTITY"),
    displayName: kwargs.name ?? environmentVariable("WANDB_NAME") ?? nameOf(options),
    id: kwargs.id ?? freshId(),
    resume: kwargs.resume ?? null,
    group: kwargs.group ?? environmentVariable("WANDB_RUN_GROUP"),
    job_type: kwargs.job_type ?? null,
    notes: kwargs.notes ?? null,
    tags: kwargs.tags ?? tags,
    config: { ...options.config, ...kwargs.config },
  };
  return new WandbTracker({ base, api_key, run, onFailure, warn });
}

async function mlflow(options: ExperimentOptions, kwargs: TrackerKwargs): Promise<Tracker> {
  const { store, tracker_api_key, onFailure, warn } = options;
  const address = kwargs.tracking_uri ?? environmentVariable("MLFLOW_TRACKING_URI");
  if (address === null)
    throw new RangeError(
      "tracker_kwargs.tracking_uri: found nothing; give the server's address, or set MLFLOW_TRACKING_URI",
    );
  const base = requireAddress(address, "tracker_kwargs.tracking_uri");
  const token = await trackerKey(tracker_api_key, "MLFLOW_TRACKING_TOKEN", base, store);
  const user = environmentVariable("MLFLOW_TRACKING_USERNAME");
  const password = environmentVariable("MLFLOW_TRACKING_PASSWORD");
  const basic =
    user !== null && password !== null
      ? `Basic ${btoa(`${requireKey(user)}:${requireKey(password)}`)}`
      : null;
  const run = {
    experiment_name: kwargs.experiment_name ?? kwargs.project ?? projectOf(options),
    run_name: kwargs.name ?? nameOf(options),
    tags: kwargs.tags ?? [],
    params: { ...options.config, ...kwargs.config },
  };
  return new MlflowTracker({
    base,
    authorization: token === null ? basic : `Bearer ${token}`,
    run,
    onFailure,
    warn,
  });
}
