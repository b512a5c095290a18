/** On-policy training (interface 4.5): agents collect roll-outs with their present policy and learn from them. */
import type { PPO } from "../rl/agents/index.ts";
import type { CollectRollouts } from "../rl/runtime/hostMemberRunner.ts";
import { refuseUnknown } from "./LocalTrainer.ts";
import { LOOP_OPTIONS, type LoopOptions, runLoop } from "./loopOptions.ts";

export interface OnPolicyOptions extends LoopOptions<PPO> {
  /** Collects roll-outs in the caller's way; they then run in this thread. */
  readonly collect_rollouts_fn?: CollectRollouts | null;
}

/** @returns the trained population and each agent's fitness in its last evaluation. */
export async function trainOnPolicy(options: OnPolicyOptions): Promise<readonly [PPO[], number[]]> {
  refuseUnknown("trainOnPolicy", options, [...LOOP_OPTIONS, "collect_rollouts_fn"]);
  const { collect_rollouts_fn } = options;
  const { population, fitnesses } = await runLoop(options, {
    epsilon: 0,
    off_policy: null,
    replay: null,
    ...(collect_rollouts_fn ? { host: { collect_rollouts_fn } } : {}),
  });
  return [population, fitnesses];
}
