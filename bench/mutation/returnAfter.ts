/** A single PPO agent on CartPole, before and after a mutation. */

import type { AgentState } from "../../src/agents/members.ts";
import { builtInTemplate } from "../../src/manifests/templates.ts";
import type { RunState } from "../../src/training/workloads.ts";
import { Judge } from "../subjects/judge.ts";
import { runPopulation } from "../subjects/populationRun.ts";

/** Environment steps before the mutation. By then agents balance for a while, and are still learning. */
const STEPS_BEFORE = 4096;

function manifestOf(max_steps: number) {
  const { manifest } = builtInTemplate("ppo-cartpole");
  return {
    ...manifest,
    training: { ...manifest.training, hpo: false, pop_size: 1, max_steps, target_score: null },
    mutation: null,
    selection_strategy: null,
  };
}

async function lastState(seed: number, max_steps: number, from?: RunState): Promise<RunState> {
  let last: RunState | null = null;
  await runPopulation(manifestOf(max_steps), {
    seed,
    workers: 0,
    ...(from ? { from } : {}),
    atBoundary: ({ state }) => {
      last = state;
      return false;
    },
  });
  if (last === null) throw new Error("no generation was trained");
  return last;
}

export const trainedRun = (seed: number): Promise<RunState> => lastState(seed, STEPS_BEFORE);

/**
 * Mean return of 20 greedy episodes after each number of further environment steps, in multiples of 2,048.
 */
export async function returnsAfter(
  run: RunState,
  seed: number,
  agent: AgentState,
  steps: readonly number[],
): Promise<number[]> {
  const judge = await Judge.in("CartPole-v1");
  let state: RunState = { ...run, members: [agent] };
  const returns: number[] = [];
  for (const step of steps) {
    if (step > 0) state = await lastState(seed, STEPS_BEFORE + step, state);
    returns.push(judge.score(state.members[0] as AgentState));
  }
  return returns;
}
