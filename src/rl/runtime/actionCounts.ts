import type { AgentState } from "../member/agentState.ts";
import { algorithmOf } from "../member/algorithmOf.ts";
import type { Space } from "../spaces/index.ts";
import type { ReplayRows } from "./replayRows.ts";

/** The transitions that an off-policy turn wrote. */
interface TurnRows {
  readonly written: { readonly rows: Pick<ReplayRows, "action"> };
}

/**
 * How often a member chose each action in a turn, [actions]. Counted from the transitions that the turn wrote
 * to the replay buffer, so no program needs a counter. If the turn was longer than the member's segment, only
 * the transitions still in it are counted.
 *
 * @returns undefined if the algorithm reports no counts.
 */
export function actionCounts(
  agent: Pick<AgentState, "algorithm" | "networks">,
  action_space: Space,
  off_policy: TurnRows | null,
): number[] | undefined {
  if (!off_policy || action_space.kind !== "Discrete" || !algorithmOf(agent).countsActions) return undefined;
  const counts = Array<number>(action_space.n).fill(0);
  for (const action of off_policy.written.rows.action) {
    const choice = action - action_space.start;
    counts[choice] = (counts[choice] ?? 0) + 1;
  }
  return counts;
}
