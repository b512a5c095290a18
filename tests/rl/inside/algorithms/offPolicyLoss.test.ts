/** Gradients of the full losses of off-policy algorithms match their numerical slopes. */
import { describe, expect, it } from "vitest";
import { type AgentState, bindAgent, structureOf } from "../../../../src/agents/members.ts";
import {
  iota,
  meanAll,
  neg,
  type Program,
  type Shape,
  state,
  type Tensor,
  trace,
} from "../../../../src/kernels/index.ts";
import type { AlgoSpecInput } from "../../../../src/manifests/index.ts";
import { networkNamed } from "../../../../src/rl/contract/network.ts";
import type { Batch, OffPolicyAlgorithm, Outcome } from "../../../../src/rl/contract.ts";
import { readLearner, readNetworks } from "../../../../src/rl/programs/learning.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { type Buffers, runOnReference } from "../../../kernels/support/run.ts";
import { agentOf } from "../../support/agents.ts";
import { agentBuffers, expectSlopes, type LossPart, writeLoss } from "../support/lossSlopes.ts";

const observation_space = new Box({ low: -1, high: 1, shape: [3] });
const ROWS = 4;
const CHOICES = 3;

const smooth = { activation: "Tanh", hidden_size: [6] };
const network = {
  latent_dim: 8,
  encoder_config: { ...smooth, output_activation: "Tanh" },
  head_config: smooth,
};

const read = (name: string, shape: Shape = [ROWS]): Tensor => state(`batch.${name}`, shape).read();

const outcome = (steps: string): Outcome => ({
  reward: read(`${steps}reward`),
  next_obs: read(`${steps}next_obs`, [ROWS, 3]),
  done: read(`${steps}done`),
  discount: read(`${steps}discount`),
});

/** An n-step batch, sampled by priority. */
const batchOf = (isChoice: boolean): Batch => ({
  ...outcome(""),
  one_step: outcome("one_step."),
  obs: read("obs", [ROWS, 3]),
  action: isChoice ? state("batch.action", [ROWS], { dtype: "i32" }).read() : read("action", [ROWS, 2]),
  row: iota(ROWS, "u32"),
  weight: read("weight"),
});

/** The optimiser's loss of the batch, or its gradients. */
const lossProgram = (part: LossPart, agent: AgentState, optimizer: string, isChoice: boolean): Program =>
  trace("loss", () => {
    const structure = structureOf(agent);
    const learner = readLearner(structure);
    const { learn, delayed } = structure.algorithm as OffPolicyAlgorithm;
    const learning = delayed?.optimizers.includes(optimizer) ? delayed.learn : learn;
    const { losses } = learning(learner.networks, batchOf(isChoice), agent.hyperparameters, learner.values, {
      observation_space,
      action_space: isChoice ? choices : wide,
    });
    writeLoss(part, agent, learner, optimizer, losses[optimizer] as Tensor);
  });

/**
 * The policy loss if the critic reads the policy's latent vector. The latent vector counts as a constant
 * there: `actor_target` holds a copy of the present policy that computes it.
 */
const sharedPolicyLoss = (agent: AgentState, critic: string): Program =>
  trace("intended", () => {
    const networks = readNetworks(structureOf(agent));
    const obs = read("obs", [ROWS, 3]);
    const seen = networkNamed(networks, "actor_target").encode(obs);
    const action = networkNamed(networks, "actor").forward(obs);
    state("loss", []).write(neg(meanAll(networkNamed(networks, critic).valueOf(seen, action))));
  });

function batchBuffers(next: () => number, isChoice: boolean): Buffers {
  const fill = (n: number, value = () => 2 * next() - 1) => Array.from({ length: n }, value);
  const results = (steps: string): Buffers => ({
    [`batch.${steps}reward`]: fill(ROWS),
    [`batch.${steps}next_obs`]: fill(ROWS * 3),
    [`batch.${steps}done`]: fill(ROWS, () => (next() < 0.3 ? 1 : 0)),
    [`batch.${steps}discount`]: fill(ROWS, () => 0.9 + 0.1 * next()),
  });
  return {
    ...results(""),
    ...results("one_step."),
    "batch.obs": fill(ROWS * 3),
    "batch.action": isChoice ? fill(ROWS, () => Math.floor(CHOICES * next())) : fill(ROWS * 2),
    "batch.weight": fill(ROWS, next),
    "key.0": [5],
    "key.1": [7],
  };
}

const choices = new Discrete(CHOICES);
const wide = new Box({ low: [-1, -2], high: [1, 3], shape: [2] });

function agentAndStart(spec: AlgoSpecInput, isChoice: boolean) {
  const agent = agentOf(spec, { observation_space, action_space: isChoice ? choices : wide, network });
  const next = numbers(4);
  const initial = { ...agentBuffers(agent, next), ...batchBuffers(next, isChoice) };
  return { agent, initial, binding: bindAgent(agent, { num_envs: 1, batch: ROWS }) };
}

const rainbow = { name: "RainbowDQN", num_atoms: 5, v_min: -3, v_max: 3 } as const;

describe("gradients of the loss are its slopes for", () => {
  it.each<[string, AlgoSpecInput]>([
    ["DQN", { name: "DQN" }],
    ["DQN with double targets", { name: "DQN", double: true }],
    ["CQN", { name: "CQN", alpha: 0.7 }],
    ["CQN, which spares all actions", { name: "CQN", conservative: "all_actions", double: true }],
    ["RainbowDQN", rainbow],
    ["RainbowDQN with combined rewards", { ...rainbow, combined_reward: true }],
  ])("%s", (_name, spec) => {
    const start = agentAndStart(spec, true);
    const optimizer = "optimizer";
    const loss = lossProgram("loss", start.agent, optimizer, true);
    const gradients = lossProgram("gradients", start.agent, optimizer, true);
    const still = expectSlopes({ ...start, optimizer, loss, gradients });
    expect(still).toEqual([]);
  });
});

const deterministic = (
  [
    ["DDPG", "critic", ["critic_optimizer", "actor_optimizer"]],
    ["TD3", "critic_1", ["critic_1_optimizer", "critic_2_optimizer", "actor_optimizer"]],
  ] as const
).flatMap(([name, critic, optimizers]) =>
  [false, true].flatMap((share_encoders) =>
    optimizers.map((optimizer) => [name, optimizer, share_encoders, critic] as const),
  ),
);

describe("gradients of deterministic policies' losses are their slopes", () => {
  it.each(deterministic)("%s: %s, share_encoders %s", (name, optimizer, share_encoders, critic) => {
    const { agent, initial, binding } = agentAndStart({ name, share_encoders }, false);
    const isShared = share_encoders && optimizer === "actor_optimizer";
    const present = Object.entries(initial).flatMap(([key, values]) =>
      isShared && key.startsWith("actor.") ? [[key.replace("actor.", "actor_target."), values] as const] : [],
    );
    const still = expectSlopes({
      agent,
      optimizer,
      loss: isShared ? sharedPolicyLoss(agent, critic) : lossProgram("loss", agent, optimizer, false),
      gradients: lossProgram("gradients", agent, optimizer, false),
      binding,
      initial: { ...initial, ...Object.fromEntries(present) },
    });
    expect(still).toEqual([]);
  });
});

describe("inverted gradients of a deterministic policy", () => {
  it.each([
    ["DDPG", "critic", 0],
    ["DDPG", "critic", 30],
    ["TD3", "critic_1", 30],
  ] as const)("are the value's slopes times what lies ahead: %s, biases up to %s", (name, critic, bias) => {
    const { agent, initial, binding } = agentAndStart({ name, inverting_gradients: true }, false);
    const start: Buffers = { ...initial, "actor.head_net.output.bias": [bias, -bias] };
    const run = (program: Program, more: Buffers = {}) =>
      runOnReference(program, binding, { ...start, ...more }, { precision: "f64" });
    const acting = trace("acting", () => {
      const action = networkNamed(readNetworks(structureOf(agent)), "actor").forward(read("obs", [ROWS, 3]));
      state("actions", [ROWS, 2]).write(action);
    });
    const judging = trace("judging", () => {
      const value = networkNamed(readNetworks(structureOf(agent)), critic).value(
        read("obs", [ROWS, 3]),
        read("action", [ROWS, 2]),
      );
      state("loss", []).write(neg(meanAll(value)));
    });
    const actions = run(acting).actions as number[];
    const step = 1e-6;
    const lossAt = (i: number, moved: number): number =>
      run(judging, { "batch.action": actions.map((a, j) => (i === j ? a + moved : a)) }).loss?.[0] as number;
    const pulls = actions.map((action, i) => {
      const slope = (lossAt(i, step) - lossAt(i, -step)) / (2 * step);
      return (slope * (slope > 0 ? action + 1 : 1 - action)) / 2;
    });
    const gradients = run(lossProgram("gradients", agent, "actor_optimizer", false));
    const found = gradients["grad.actor.head_net.output.bias"] as number[];
    for (const k of [0, 1]) {
      const expected = pulls.filter((_, i) => i % 2 === k).reduce((sum, pull) => sum + pull, 0);
      expect(found[k]).toBeCloseTo(expected, 7);
    }
    expect(Math.max(...found.map(Math.abs))).toBeGreaterThan(1e-4);
  });

  it("are refused where the output activation has none", () => {
    const head_config = { ...smooth, output_activation: "Softmax" as const };
    expect(() =>
      agentOf(
        { name: "TD3", inverting_gradients: true },
        { observation_space, action_space: wide, network: { ...network, head_config } },
      ),
    ).toThrow("algorithm.inverting_gradients: needs network.head_config.output_activation Tanh or Sigmoid");
  });
});
