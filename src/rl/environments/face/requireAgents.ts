import { type AgentSpaces, describeSpace } from "../../spaces/index.ts";

/**
 * @param place Name of the owner of the spaces, for messages.
 * @throws RangeError unless both spaces are of kind `Agents`, with the same ids in the same order, or neither is.
 */
export function requireSameAgents({ observation_space, action_space }: AgentSpaces, place: string): void {
  const idsOf = (space: AgentSpaces["action_space"]): string | null =>
    space.kind === "Agents" ? space.ids.join(", ") : null;
  const [seeing, acting] = [idsOf(observation_space), idsOf(action_space)];
  if (seeing === acting) return;
  const found = acting ?? describeSpace(action_space);
  throw new RangeError(
    `${place}: found actions of ${found}, allowed ${seeing === null ? "a single-agent action space, like the observation space" : `the agents of the observation space: ${seeing}`}`,
  );
}
