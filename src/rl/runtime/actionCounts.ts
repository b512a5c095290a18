import type { AgentState } from "../member/agentState.ts";
import { algorithmOf } from "../member/algorithmOf.ts";
import type { Space } from "../spaces/index.ts";
import type { ReplayRows } from "./replayRows.ts";

/** An off-policy turn that left these transitions. */
interface TurnRows {
  readonly written: { readonly rows: Pick<ReplayRows, "action"> };
}

/**
 * How often a member chose each action in a turn, [actions]: read from the transitions that the turn left in the memory,
 * so no program counts. A turn longer than the member's part of the memory is counted as far as that holds it.
 *
 * @returns undefined where the algorithm reports none.
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
