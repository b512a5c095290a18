import type { AgentContext } from "./agentOptions.ts";
import type { AgentState } from "./agentState.ts";
import { DQN } from "./DQN.ts";
import { PPO } from "./PPO.ts";
import { loadStored } from "./SingleAgentAlgorithm.ts";

/** Any agent of this build. */
export type SupportedAgent = DQN | PPO;

/** The agent that a state describes. @throws RangeError for an algorithm that this build lacks. */
export function agentFromState(state: AgentState, context: AgentContext): SupportedAgent {
  switch (state.algorithm) {
    case "DQN":
      return new DQN({ ...context, state });
    case "PPO":
      return new PPO({ ...context, state });
    default:
      throw new RangeError(`state.algorithm: found "${state.algorithm}", allowed DQN, PPO`);
  }
}

/** A population from its members' states. */
export const agentsFromStates = (states: readonly AgentState[], context: AgentContext): SupportedAgent[] =>
  states.map((state) => agentFromState(state, context));

/** An agent of whatever algorithm from a file. @throws StorageError of the store. */
export async function loadAgent(path: string, context: Partial<AgentContext> = {}): Promise<SupportedAgent> {
  const { state, ...spaces } = await loadStored(path, context);
  return agentFromState(state, { ...spaces, ...context });
}
