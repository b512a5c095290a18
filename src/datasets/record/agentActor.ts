/** An agent's state as an actor for recording. */
import { agentFromState } from "../../agents/classes.ts";
import type { AgentState } from "../../agents/members.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import type { Actor } from "./recordEpisodes.ts";

export interface AgentActor extends Actor {
  release(): void;
}

/**
 * An agent that acts greedily. The caller releases it.
 * @throws RangeError if the agent does not fit the spaces.
 */
export function agentActor(state: AgentState, { observation_space, action_space }: AgentSpaces): AgentActor {
  const agent = agentFromState(state, { observation_space, action_space, hp_config: null });
  return {
    getAction: (observation, { info }) =>
      // For a single agent's observation, the action is a single agent's too.
      agent.getAction(observation as Float32Array, { training: false, ...(info ? { info } : {}) }) as number,
    resetHiddenState: () => agent.resetHiddenState(),
    release: () => agent.release(),
  };
}
