import type { AgentCalls, AgentFile, AgentRef, KeptAgent } from "../../../../workers/protocol.ts";

/** Where the players of a run come from. */
export interface StageAgents {
  /** All that are kept. */
  readonly list: () => Promise<readonly KeptAgent[]>;
  readonly file: (ref: AgentRef) => Promise<AgentFile>;
  /** Policies of the members of the last boundary by slot; of another generation what is kept nearest to it. */
  readonly players: (generation: number | null) => Promise<readonly AgentFile[]>;
}

/** Those of a run, from the coordinator. */
export const runAgents = (
  coordinator: Pick<AgentCalls, "agents" | "agent" | "players">,
  id: string,
): StageAgents => ({
  list: () => coordinator.agents(id),
  file: (ref) => coordinator.agent(id, ref),
  players: (generation) => coordinator.players(id, generation),
});
