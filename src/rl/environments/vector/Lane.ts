import type { Space } from "../../spaces/index.ts";
import type { Info, ResetOptions } from "../face/HostEnvironment.ts";
import type { VectorStepResult } from "../face/VectorEnvironment.ts";

/** Where the lanes of an environment put the numbers of a step. */
export type StepRows = Pick<VectorStepResult, "reward" | "terminated" | "truncated" | "final_observation">;

/** What else a step gave. */
export interface LaneStep {
  /** Of the observation that it led to. */
  readonly final_info: Info;
  /** Of the observation to act on next, where the episode goes on. */
  readonly info: Info;
  /** The episode ended. */
  readonly ended: boolean;
}

/** One environment of several, of one agent or of more, whose results are checked before anybody reads them. */
export interface Lane {
  readonly observation_space: Space;
  readonly action_space: Space;
  /** Numbers of an observation. */
  readonly width: number;
  /** Rewards of a step. */
  readonly agents: number;
  /** Starts an episode and puts its first observation into a batch. @throws EnvironmentError for what does not fit the face. */
  reset(options: ResetOptions | undefined, batch: Float32Array): Info;
  /** Takes a step and puts its numbers into a batch. @throws As `reset`. */
  step(action: readonly number[], rows: StepRows): LaneStep;
}
