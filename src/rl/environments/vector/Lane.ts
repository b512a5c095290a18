import type { Space } from "../../spaces/index.ts";
import type { Info, ResetOptions } from "../face/HostEnvironment.ts";
import type { VectorStepResult } from "../face/VectorEnvironment.ts";

/** The arrays that the lanes of an environment write the numbers of a step into. */
export type StepRows = Pick<VectorStepResult, "reward" | "terminated" | "truncated" | "final_observation">;

/** The rest of a step's result. */
export interface LaneStep {
  /** Info of the observation after the step. */
  readonly final_info: Info;
  /** Info of the observation to act on next, if the episode continues. */
  readonly info: Info;
  /** Whether the episode ended. */
  readonly ended: boolean;
}

/**
 * One lane of a vector environment, with one agent or several. Its results are checked before they are used.
 */
export interface Lane {
  readonly observation_space: Space;
  readonly action_space: Space;
  /** How many numbers an observation has. */
  readonly width: number;
  /** Number of agents, and of rewards per step. */
  readonly agents: number;
  /**
   * Starts an episode and writes its first observation into a batch.
   * @throws EnvironmentError when the environment throws, or its result violates the interface.
   */
  reset(options: ResetOptions | undefined, batch: Float32Array): Info;
  /** Takes a step and writes its numbers into `rows`. @throws The same errors as `reset`. */
  step(action: readonly number[], rows: StepRows): LaneStep;
}
