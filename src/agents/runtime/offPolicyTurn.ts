/** Sizes and buffer contents that an off-policy turn gives its programs. */
import { fanFor } from "../../kernels/functions.ts";
import { LEARNING } from "../../rl/programs.ts";
import type { AgentState } from "../member/agentState.ts";
import type { Contents } from "./agentBuffers.ts";
import { priorityContents } from "./priorities.ts";
import type { Sizes } from "./sizes.ts";
import { type OffPolicyTurn, programSteps, type Turn } from "./turn.ts";

/** Sizes of an off-policy turn's programs. */
export const offPolicySizes = (
  { hyperparameters }: AgentState,
  num_envs: number,
  { visible }: OffPolicyTurn,
  segment: number,
): Sizes => ({
  num_envs,
  batch: Number(hyperparameters.batch_size),
  population: visible.length,
  capacity: visible.length * segment,
  priority_fan: fanFor(visible.length * segment),
});

/**
 * Buffer contents for an off-policy member's programs: exploration, its ring, and its view of the replay
 * buffer.
 */
export function offPolicyContents(
  { slot, evo_steps, num_envs }: Pick<Turn, "slot" | "evo_steps" | "num_envs">,
  segment: number,
  off: OffPolicyTurn,
): Contents {
  const scalars = {
    "turn.total": programSteps({ evo_steps, num_envs, off_policy: off }),
    epsilon: off.epsilon,
    eps_end: off.eps_end,
    eps_decay: off.eps_decay,
    learning_delay: off.learning_delay,
    "ring.slot": slot,
    "ring.segment": segment,
    "ring.position": off.ring.position,
    "ring.count": off.ring.count,
    // An interrupted turn may have left learning steps due.
    [LEARNING.active]: 0,
    [LEARNING.due]: 0,
  };
  return new Map<string, ArrayLike<number>>([
    ...Object.entries(scalars).map(([name, value]): [string, number[]] => [name, [value]]),
    ["visible.start", off.visible.map((v) => v.start)],
    ["visible.length", off.visible.map((v) => v.length)],
    ...(off.priorities ? priorityContents(off.priorities) : []),
  ]);
}
