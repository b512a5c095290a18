import type { OptionRules } from "../specs/checkOptions.ts";
import { COUNT, FUNCTION, TEXT } from "../training/options/optionChecks.ts";
import type { SubmitEvent } from "./stream/submission.ts";

/** Path of a file, or what it holds. */
export type RewardFile = string | Uint8Array;

/** What a job runs on, and what it is called. */
export interface JobOptions {
  /** Kind of machine, of `listResources`; the platform's choice unless given. */
  readonly resource_id?: string | number | null;
  /** Machines that the population is spread over, from 1; the platform's choice unless given. */
  readonly num_nodes?: number | null;
  /** The client's own unless given. */
  readonly project?: string | null;
  /** The platform's choice unless given. */
  readonly experiment_name?: string | null;
  /** Reward module of a job on a reasoning data set: a file's path or its bytes, at most 256 KiB. */
  readonly reward_file?: RewardFile | null;
  /** A completion to try the reward module on; goes with `reward_file` alone. */
  readonly completion?: string | null;
  /** Told what the platform does before it takes the job. */
  readonly onEvent?: (event: SubmitEvent) => void;
}

const NUMBER_OR_TEXT = {
  allowed: "text that is not empty, or an integer",
  allows: (value: unknown) => TEXT.allows(value) || Number.isSafeInteger(value),
};

export const JOB_OPTIONS: OptionRules = {
  resource_id: NUMBER_OR_TEXT,
  num_nodes: COUNT,
  project: TEXT,
  experiment_name: TEXT,
  reward_file: {
    allowed: "a file's path, or its bytes (Uint8Array)",
    allows: (value) => TEXT.allows(value) || value instanceof Uint8Array,
  },
  completion: { allowed: "text", allows: (value) => typeof value === "string" },
  onEvent: FUNCTION,
};
