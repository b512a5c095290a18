/** Off-policy training (interface 4.5): agents act, store transitions in one memory, and learn from it. */
import type { DQN } from "../rl/agents/index.ts";
import type { ReplayBuffer } from "../rl/buffers/index.ts";
import { vectorOf } from "./hostMembers.ts";
import { refuseUnknown } from "./LocalTrainer.ts";
import { LOOP_OPTIONS, type LoopOptions, runLoop } from "./loopOptions.ts";
import { memoryState, settleMemory } from "./memoryState.ts";

export interface OffPolicyOptions extends LoopOptions<DQN> {
  /** Serves the whole population. */
  readonly memory: ReplayBuffer;
  /** Transitions an agent must see before it learns; 0 unless given. */
  readonly learning_delay?: number;
  /** Chance of a random action at the start; 1 unless given. */
  readonly eps_start?: number;
  readonly eps_end?: number;
  /** Factor on epsilon at every vector step; 0.999 unless given. */
  readonly eps_decay?: number;
  /** Used beside a prioritised memory, which this build does not have. */
  readonly n_step_memory?: null;
}

const fraction = (name: string, value: number): number => {
  if (value >= 0 && value <= 1) return value;
  throw new RangeError(`${name}: found ${value}, allowed 0 to 1`);
};

/** @returns the trained population and each agent's fitness in its last evaluation. */
export async function trainOffPolicy(options: OffPolicyOptions): Promise<readonly [DQN[], number[]]> {
  refuseUnknown("trainOffPolicy", options, [
    ...LOOP_OPTIONS,
    "memory",
    "learning_delay",
    "eps_start",
    "eps_end",
    "eps_decay",
    "n_step_memory",
  ]);
  const { memory, learning_delay = 0, pop, env } = options;
  if (!memory) throw new TypeError("memory: found nothing, allowed a ReplayBuffer");
  if (options.n_step_memory)
    throw new TypeError("n_step_memory: n-step replay is not available in this build; leave it out");
  const eps_end = fraction("eps_end", options.eps_end ?? 0.01);
  const vector = vectorOf(env);
  memory.configure(
    { observation_space: vector.single_observation_space, action_space: vector.single_action_space },
    pop.length,
  );
  const { population, fitnesses, state } = await runLoop(options, {
    epsilon: fraction("eps_start", options.eps_start ?? 1),
    off_policy: { learning_delay, eps_end, eps_decay: fraction("eps_decay", options.eps_decay ?? 0.999) },
    replay: memoryState(memory),
  });
  settleMemory(memory, state.replay);
  return [population, fitnesses];
}
