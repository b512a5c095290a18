/** Calls that edit, extend, fork, queue and steer runs. */
import type { SteeringAction } from "../../training/loop.ts";
import type { AgentRef } from "./agents.ts";
import type { StartOptions } from "./StartOptions.ts";

export type { SteeringAction };

export interface RunChangeCalls {
  /** Ends a run and deletes all of its data. */
  discard(id: string): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  setTags(id: string, tags: readonly string[]): Promise<void>;
  setNote(id: string, text: string): Promise<void>;
}

export interface RunStartCalls {
  /** Resumes an ended run with a new `max_steps`. */
  extend(id: string, max_steps: number): Promise<void>;
  /**
   * Creates a new run from an agent and starts training.
   * @param how "resume": from the whole population of the checkpoint or the last boundary; "weights": every
   *   member starts with the agent's weights.
   * @param manifest Manifest of the new run. Defaults to that of the old run.
   * @returns The new run's id.
   */
  fork(id: string, ref: AgentRef, how: "resume" | "weights", manifest?: unknown): Promise<string>;
  /** Starts a run when the live one ends, or at once if there is none. Returns its id. */
  queue(manifest: unknown, options?: StartOptions): Promise<string>;
}

export interface SteeringCalls {
  /** Applies an action at the next generation boundary of a live run. Returns the generation that ends there. */
  steer(id: string, action: SteeringAction): Promise<number>;
  /** The actions applied so far, with the generation at whose end each took effect. */
  steering(id: string): Promise<readonly { readonly generation: number; readonly action: SteeringAction }[]>;
}
