import type { VectorStepResult } from "./VectorEnvironment.ts";

/** 1 for lanes whose episode ended, [num_envs]: it was cut off, or the task of every agent has ended. */
export function endedLanes({
  terminated,
  truncated,
}: Pick<VectorStepResult, "terminated" | "truncated">): Uint8Array {
  const lanes = truncated.length;
  const agents = terminated.length / lanes;
  const ended = new Uint8Array(lanes);
  for (let lane = 0; lane < lanes; lane++) {
    let gone = 0;
    for (let i = lane * agents; i < (lane + 1) * agents; i++) gone += terminated[i] === 0 ? 0 : 1;
    ended[lane] = truncated[lane] !== 0 || gone === agents ? 1 : 0;
  }
  return ended;
}

/**
 * 1 for agents whose own task has ended while the episode continues, [num_envs, agents]: they take no part in
 * the next step. Null if there is only one agent.
 * @param ended Result of `endedLanes`.
 */
export function leftAfter(
  { terminated }: Pick<VectorStepResult, "terminated">,
  ended: Uint8Array,
): Uint8Array | null {
  const agents = terminated.length / ended.length;
  return agents === 1 ? null : terminated.map((gone, i) => (ended[Math.floor(i / agents)] ? 0 : gone));
}

/** 1 for agents that choose no more in the episode, [num_envs, agents]: it ended, or their own task ended. */
export const overAfter = (
  { terminated }: Pick<VectorStepResult, "terminated">,
  ended: Uint8Array,
): Uint8Array =>
  terminated.map((gone, i) => ended[Math.floor((i * ended.length) / terminated.length)] || gone);
