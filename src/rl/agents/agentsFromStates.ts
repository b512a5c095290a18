import type { AgentState } from "../member/agentState.ts";
import type { AgentContext } from "./agentOptions.ts";
import { DDPG } from "./DDPG.ts";
import { DQN } from "./DQN.ts";
import { PPO } from "./PPO.ts";
import { RainbowDQN } from "./RainbowDQN.ts";
import { loadStored } from "./SingleAgentAlgorithm.ts";
import { TD3 } from "./TD3.ts";

/** Any agent of this build. */
export type SupportedAgent = DQN | RainbowDQN | DDPG | TD3 | PPO;
/** Any agent that learns from a replay memory. */
export type SupportedOffPolicyAgent = Exclude<SupportedAgent, PPO>;

/** The agent that a state describes. @throws RangeError for an algorithm that this build lacks. */
export function agentFromState(state: AgentState, context: AgentContext): SupportedAgent {
  switch (state.algorithm) {
    case "DQN":
      return new DQN({ ...context, state });
    case "RainbowDQN":
      return new RainbowDQN({ ...context, state });
    case "DDPG":
      return new DDPG({ ...context, state });
    case "TD3":
      return new TD3({ ...context, state });
    case "PPO":
      return new PPO({ ...context, state });
    default:
      throw new RangeError(
        `state.algorithm: found "${state.algorithm}", allowed DQN, RainbowDQN, DDPG, TD3, PPO`,
      );
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
