/** Off-policy training (interface 4.5): agents act, store transitions in one memory, and learn from it. */
import type { SupportedAgent, SupportedOffPolicyAgent } from "../rl/agents/index.ts";
import { ReplayBuffer } from "../rl/buffers/index.ts";
import { spacesOf } from "./environmentOption.ts";
import { checkLoop, type LoopOptions, runLoop } from "./loopOptions.ts";
import { DELAY, FRACTION, type OptionRules } from "./optionChecks.ts";

export interface OffPolicyOptions<Agent extends SupportedOffPolicyAgent = SupportedOffPolicyAgent>
  extends LoopOptions<Agent> {
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

const RULES: OptionRules = {
  memory: { allowed: "a ReplayBuffer", allows: (value) => value instanceof ReplayBuffer },
  learning_delay: DELAY,
  eps_start: FRACTION,
  eps_end: FRACTION,
  eps_decay: FRACTION,
  n_step_memory: { allowed: "nothing: n-step replay is not available in this build", allows: () => false },
};

/** @returns the trained population and each agent's fitness in its last evaluation. */
export async function trainOffPolicy<Agent extends SupportedOffPolicyAgent>(
  options: OffPolicyOptions<Agent>,
): Promise<readonly [Agent[], number[]]> {
  const loop = checkLoop(options, { name: "trainOffPolicy", rules: RULES, off_policy: true });
  const { memory, pop } = options;
  if (!memory) throw new TypeError("trainOffPolicy: memory is missing; allowed a ReplayBuffer");
  const [eps_start, eps_end] = [options.eps_start ?? 1, options.eps_end ?? 0.01];
  if (eps_start < eps_end) {
    throw new RangeError(
      `trainOffPolicy: eps_end: found ${eps_end}, allowed at most eps_start (${eps_start})`,
    );
  }
  memory.configure(spacesOf(loop.vector), pop.length);
  const { population, fitnesses } = await runLoop(options, {
    ...loop,
    epsilon: eps_start,
    off_policy: {
      learning_delay: options.learning_delay ?? 0,
      eps_end,
      eps_decay: options.eps_decay ?? 0.999,
      memory: { n_step: 1, alpha: null },
    },
    memory,
  });
  // A run gives back agents of the class it was given.
  return [population as SupportedAgent[] as Agent[], fitnesses];
}
