/** Where agents go when they are told to save themselves. Training brings the files; rl knows only the door. */

import type { AgentState } from "../member/agentState.ts";
import type { AgentSpaces } from "../spaces/index.ts";

/** An agent as a file keeps it. */
export interface StoredAgent extends AgentSpaces {
  readonly state: AgentState;
}

export interface AgentStore {
  save(agent: StoredAgent, path: string): Promise<void>;
  /** Spaces of `context` stand in where the file has none. */
  load(path: string, context: Partial<AgentSpaces>): Promise<StoredAgent>;
}

let store: AgentStore | null = null;

/** Called by the training module when it is imported. */
export function provideAgentStore(provided: AgentStore): void {
  store = provided;
}

/** @throws Error when nothing that stores agents was imported. */
export function agentStore(): AgentStore {
  if (store) return store;
  throw new Error(
    'agents can be saved and loaded once training is there: import "rlkit" or "rlkit/training" first',
  );
}
