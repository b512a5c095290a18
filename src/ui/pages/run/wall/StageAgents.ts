import type { AgentFile, AgentRef, KeptAgent, PageCalls } from "../../../../workers/protocol.ts";

/** The source of a run's players. */
export interface StageAgents {
  /** Lists all stored agents. */
  readonly list: () => Promise<readonly KeptAgent[]>;
  readonly file: (ref: AgentRef) => Promise<AgentFile>;
  /**
   * Policies of the members at the last generation boundary, by slot; for a given generation, the nearest
   * stored ones.
   */
  readonly players: (generation: number | null) => Promise<readonly AgentFile[]>;
}

/** The agents of a run, from the coordinator. */
export const runAgents = (
  coordinator: Pick<PageCalls, "agents" | "agent" | "players">,
  id: string,
): StageAgents => ({
  list: () => coordinator.agents(id),
  file: (ref) => coordinator.agent(id, ref),
  players: (generation) => coordinator.players(id, generation),
});
