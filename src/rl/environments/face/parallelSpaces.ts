import { Agents, type SingleAgentSpace } from "../../spaces/index.ts";
import type { ByAgent, ParallelEnvironment } from "./ParallelEnvironment.ts";

/** The joint spaces of a multi-agent environment, with the agents in the environment's order. */
export function parallelSpaces({
  possible_agents,
  observation_spaces,
  action_spaces,
}: Pick<ParallelEnvironment, "possible_agents" | "observation_spaces" | "action_spaces">) {
  const joined = (spaces: ByAgent<SingleAgentSpace>): Agents =>
    // Environments are checked before this call, so each agent has its spaces.
    new Agents(Object.fromEntries(possible_agents.map((id) => [id, spaces[id] as SingleAgentSpace])));
  return { observation_space: joined(observation_spaces), action_space: joined(action_spaces) };
}
