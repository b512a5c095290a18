/** What a person does to a run beside starting and ending it. */
import type { SteeringAction } from "../../training/loop/steering.ts";
import type { AgentRef } from "./agents.ts";
import type { StartOptions } from "./StartOptions.ts";

export type { SteeringAction };

export interface RunChangeCalls {
  /** Ends a run and deletes all of it. */
  discard(id: string): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  setTags(id: string, tags: readonly string[]): Promise<void>;
  setNote(id: string, text: string): Promise<void>;
}

export interface RunStartCalls {
  /** Lets an ended run go on up to `max_steps` of each member. */
  extend(id: string, max_steps: number): Promise<void>;
  /**
   * A new run from an agent, training at once.
   * @param how "resume": from the whole population of the checkpoint or the last boundary; "weights": every member
   *   begins with the agent's weights.
   * @param manifest Of the new run; the old one's unless given.
   * @returns The new run's id.
   */
  fork(id: string, ref: AgentRef, how: "resume" | "weights", manifest?: unknown): Promise<string>;
  /** Starts a run when the live one ends; at once where none is. Returns its id. */
  queue(manifest: unknown, options?: StartOptions): Promise<string>;
}

export interface SteeringCalls {
  /** Acts at the next generation boundary of a live run. */
  steer(id: string, action: SteeringAction): Promise<void>;
  /** What acted so far, with the generation at whose end it did. */
  steering(id: string): Promise<readonly { readonly generation: number; readonly action: SteeringAction }[]>;
}
