/**
 * The store that agents are saved to and loaded from. The training module provides it; the rl module only has
 * the interface.
 */

import type { AgentSpaces } from "../../rl/spaces.ts";
import type { AgentState } from "../member/agentState.ts";

/** An agent as stored in a file. */
export interface StoredAgent extends AgentSpaces {
  readonly state: AgentState;
}

export interface AgentStore {
  save(agent: StoredAgent, path: string): Promise<void>;
  /** The spaces of `context` are used if the file has none. */
  load(path: string, context: Partial<AgentSpaces>): Promise<StoredAgent>;
}

let store: AgentStore | null = null;

/** Called by the training module when it is imported. */
export function provideAgentStore(provided: AgentStore): void {
  store = provided;
}

/** @throws Error if no store was provided. */
export function agentStore(): AgentStore {
  if (store) return store;
  throw new Error(
    'saving and loading agents needs the training module: import "rlkit" or "rlkit/training" first',
  );
}
