/** A DQN agent on a regression task with a known solution, before and after a mutation. */

import { DQN, type Experiences } from "../../src/agents/classes.ts";
import type { AgentState } from "../../src/agents/members.ts";
import { Random } from "../../src/evolution/index.ts";
import { Box, Discrete } from "../../src/rl/spaces.ts";
import type { MomentRule } from "./momentRules.ts";
import type { MeasuredMutation } from "./mutations.ts";

const STEPS_BEFORE = 3000;
const BATCH = 64;
const HELD_OUT = 2048;
const observation_space = new Box({ low: -1, high: 1, shape: [4] });
const action_space = new Discrete(2);
const PLAIN = {
  latent_dim: 64,
  encoder_config: { hidden_size: [64], layer_norm: false },
  head_config: { hidden_size: [64], layer_norm: false },
};

/** Transitions that terminate at once, so that the target value is the reward itself. */
function transitions(count: number, seed: number): Experiences {
  const random = new Random({ seed, stream: "held-out loss" });
  const obs = Float32Array.from({ length: 4 * count }, () => 2 * random.uniform() - 1);
  const action = Int32Array.from({ length: count }, () => random.integer(2));
  const reward = Float32Array.from({ length: count }, (_, i) => {
    const [a = 0, b = 0, c = 0, d = 0] = obs.subarray(4 * i, 4 * i + 4);
    return action[i] === 0 ? a * b + Math.abs(c) : b - c * d * a;
  });
  return { obs, action, reward, next_obs: obs, done: new Float32Array(count).fill(1) };
}

const agentOf = (state: AgentState | null, seed: number): DQN =>
  state
    ? new DQN({ observation_space, action_space, seed, state })
    : new DQN({ observation_space, action_space, seed, lr: 0.001, net_config: PLAIN });

const heldOut = transitions(HELD_OUT, 0);
/** Mean squared error on held-out transitions. */
function lossOf(state: AgentState, seed: number): number {
  const copy = agentOf(state, seed);
  const loss = copy.learn(heldOut);
  copy.release();
  return loss;
}

function learn(state: AgentState | null, seed: number, from: number, to: number): AgentState {
  const agent = agentOf(state, seed);
  for (let step = from; step < to; step++) agent.learn(transitions(BATCH, 1 + seed * 100_000 + step));
  const { state: learned } = agent;
  agent.release();
  return learned;
}

/** An agent after 3,000 learning steps. */
export const trainedAgent = (seed: number): AgentState => learn(null, seed, 0, STEPS_BEFORE);

/** Held-out loss after each number of learning steps. `mutation` null continues without a mutation. */
export function lossesAfter(
  before: AgentState,
  seed: number,
  mutation: { readonly mutation: MeasuredMutation; readonly rule: MomentRule } | null,
  steps: readonly number[],
): number[] {
  let state = mutation ? mutation.rule.apply(before, mutation.mutation.apply(before, seed)) : before;
  let done = 0;
  return steps.map((step) => {
    state = step > done ? learn(state, seed, STEPS_BEFORE + done, STEPS_BEFORE + step) : state;
    done = step;
    return lossOf(state, seed);
  });
}
