import type { RunPlan } from "./RunPlan.ts";
import type { RunState } from "./runState.ts";

/** @throws RangeError when a member's segment cannot hold one vector step. */
export function requireReplayFits({ members, replay }: RunState, { num_envs, off_policy }: RunPlan): void {
  if (!replay || off_policy?.offline || replay.segment >= num_envs) return;
  throw new RangeError(
    `memory: each of ${members.length} members has room for ${replay.segment} transitions, but one step of ${num_envs} environments adds ${num_envs}; give a max_size of at least ${num_envs * members.length}`,
  );
}
