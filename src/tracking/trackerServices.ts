/** The servers that can receive a run's metrics (option `wb`). */
import type { Tracker } from "./Tracker.ts";
import type { ExperimentOptions, TrackerSettings } from "./trackerSettings.ts";

/**
 * Makes the tracker of a run; null if it is disabled.
 * @throws RangeError for an address; TrackerRefusedError without a required key.
 */
type MakeServiceTracker = (options: ExperimentOptions, settings: TrackerSettings) => Promise<Tracker | null>;

interface TrackerService {
  readonly title: string;
  /** The address that the workbench suggests. */
  readonly address: string;
  /** What the service calls its key. */
  readonly key: string;
  /** The setting that contains the address. */
  readonly setting: "base_url" | "tracking_uri";
  /** Loads the tracker's code, which most runs do not need. */
  readonly load: () => Promise<MakeServiceTracker>;
}

export const TRACKER_SERVICES = {
  wandb: {
    title: "Weights & Biases",
    address: "https://api.wandb.ai",
    key: "API key",
    setting: "base_url",
    load: async () => (await import("./wandb/WandbTracker.ts")).wandbTracker,
  },
  mlflow: {
    title: "MLflow",
    address: "http://127.0.0.1:5000",
    key: "Token (if required)",
    setting: "tracking_uri",
    load: async () => (await import("./mlflow/MlflowTracker.ts")).mlflowTracker,
  },
} as const satisfies Record<string, TrackerService>;

export type TrackerServiceName = keyof typeof TRACKER_SERVICES;

// The keys of the table are the names, which the type of `Object.keys` does not express.
export const TRACKER_SERVICE_NAMES = Object.keys(TRACKER_SERVICES) as TrackerServiceName[];
