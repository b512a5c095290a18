/**
 * Replay buffers given by callers: their settings for a run, and checks that they fit the run and each other.
 */

import { MultiStepReplayBuffer, PrioritizedReplayBuffer, type ReplayBuffer } from "../../agents/classes.ts";
import { namesWith } from "../../manifests/algorithms.ts";
import { algorithmDefinition, RainbowDQNSpec } from "../../manifests/index.ts";
import type { RunPlan } from "../rl/kinds.ts";

/** How transitions are sampled from a run's replay buffer. */
type MemoryPlan = NonNullable<RunPlan["off_policy"]>["memory"];

/** The replay buffers passed to a training function. */
export interface GivenMemory {
  readonly memory: ReplayBuffer;
  /** Multi-step buffer, in addition to a prioritised `memory`. */
  readonly n_step_memory: MultiStepReplayBuffer | null;
}

/** The multi-step buffer among those given, if any. */
const multiStepOf = ({ memory, n_step_memory }: GivenMemory): MultiStepReplayBuffer | null =>
  n_step_memory ?? (memory instanceof MultiStepReplayBuffer ? memory : null);

export const memoryPlan = (given: GivenMemory): MemoryPlan => ({
  n_step: multiStepOf(given)?.n_step ?? 1,
  alpha: given.memory instanceof PrioritizedReplayBuffer ? given.memory.alpha : null,
});

/** The equivalent `replay_buffer` section of a manifest. */
export function memorySection(memory: ReplayBuffer) {
  const { n_step, alpha } = memoryPlan({ memory, n_step_memory: null });
  return {
    max_size: memory.max_size,
    ...(n_step > 1 ? { n_step_buffer: true, n_step_buffer_args: { n_step } } : {}),
    ...(alpha !== null ? { per_buffer: true, per_buffer_args: { alpha } } : {}),
  };
}

/** @throws TypeError or RangeError naming the option that does not fit the algorithm or the other option. */
export function requireMemory(what: string, { memory, n_step_memory }: GivenMemory, algo: string): void {
  const isPrioritized = memory instanceof PrioritizedReplayBuffer;
  const { name, prioritised } = algorithmDefinition(algo);
  if (isPrioritized && !prioritised) {
    throw new TypeError(
      `${what}: memory: found a PrioritizedReplayBuffer, and only ${namesWith("prioritised")} samples by priority, not ${name}; allowed a ReplayBuffer or MultiStepReplayBuffer`,
    );
  }
  if (!n_step_memory) return;
  if (!isPrioritized) {
    throw new TypeError(
      `${what}: n_step_memory: found a MultiStepReplayBuffer, allowed only beside a PrioritizedReplayBuffer; give it as memory instead`,
    );
  }
  if (n_step_memory.max_size !== memory.max_size) {
    throw new RangeError(
      `${what}: n_step_memory: found max_size ${n_step_memory.max_size}, allowed ${memory.max_size} (memory's max_size): they hold the same transitions`,
    );
  }
}

/** Rainbow's default, which needs no warning. */
const DEFAULT_N_STEP = RainbowDQNSpec.parse({}).n_step;

/** A warning if Rainbow agents ask for multi-step returns but no buffer computes them; else null. */
export function nStepWarning(given: GivenMemory, asked: readonly unknown[]): string | null {
  if (multiStepOf(given)) return null;
  const steps = asked.filter((n) => typeof n === "number" && n > 1 && n !== DEFAULT_N_STEP);
  if (steps.length === 0) return null;
  const buffer =
    given.memory instanceof PrioritizedReplayBuffer ? "n_step_memory" : "a MultiStepReplayBuffer as memory";
  return `pop: n_step is ${[...new Set(steps)].join(", ")}, which has no effect without ${buffer}: returns have one step`;
}

/** A warning if a buffer's gamma differs from that of agents, whose own gamma is used in a run; else null. */
export function gammaWarning(given: GivenMemory, gammas: readonly unknown[]): string | null {
  const buffer = multiStepOf(given);
  const others = [...new Set(gammas)].filter((gamma) => gamma !== buffer?.gamma);
  if (!buffer || others.length === 0) return null;
  const name = given.n_step_memory ? "n_step_memory" : "memory";
  return `${name}.gamma is ${buffer.gamma}, but agents discount by ${others.join(", ")}: training uses each agent's own gamma`;
}
