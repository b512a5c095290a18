import type { OptionRules } from "../specs/checks.ts";
import { COUNT, FUNCTION, TEXT } from "../training/plan.ts";
import type { SubmitEvent } from "./submission.ts";

/** Path of a file, or its content. */
export type RewardFile = string | Uint8Array;

/** Resources and names of a job. */
export interface JobOptions {
  /** Kind of machine, from `listResources` (default: the platform's choice). */
  readonly resource_id?: string | number | null;
  /** Number of machines for the population, from 1 (default: the platform's choice). */
  readonly num_nodes?: number | null;
  /** Defaults to the client's project. */
  readonly project?: string | null;
  /** Defaults to the platform's choice. */
  readonly experiment_name?: string | null;
  /** Reward module for a job on a reasoning data set: a file's path or its bytes, at most 256 KiB. */
  readonly reward_file?: RewardFile | null;
  /** A completion to test the reward module with; used only together with `reward_file`. */
  readonly completion?: string | null;
  /** Called with the platform's progress before it accepts the job. */
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
