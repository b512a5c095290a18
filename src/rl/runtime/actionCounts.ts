import type { AgentState } from "../member/agentState.ts";
import { algorithmOf } from "../member/algorithmOf.ts";
import type { Space } from "../spaces/index.ts";
import type { TurnResult } from "./turn.ts";

/**
 * How often a member chose each action in a turn, [actions]: read from the transitions that the turn left in the memory,
 * so no program counts. A turn longer than the member's part of the memory is counted as far as that holds it.
 *
 * @returns undefined where the algorithm reports none.
 */
export function actionCounts(
  agent: AgentState,
  action_space: Space,
  off_policy: TurnResult["off_policy"],
): number[] | undefined {
  if (!off_policy || action_space.kind !== "Discrete" || !algorithmOf(agent).countsActions) return undefined;
  const counts = Array<number>(action_space.n).fill(0);
  for (const action of off_policy.written.rows.action) {
    const choice = action - action_space.start;
    counts[choice] = (counts[choice] ?? 0) + 1;
  }
  return counts;
}
