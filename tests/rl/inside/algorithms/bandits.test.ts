/** NeuralUCB and NeuralTS: how they choose, what they remember and what they learn. */

import { describe, expect, it } from "vitest";
import { agentFromState } from "../../../../src/agents/classes.ts";
import { NeuralTS, NeuralUCB } from "../../../../src/agents/index.ts";
import {
  type AgentState,
  bindAgent,
  findAlgorithm,
  mutateArchitecture,
  structureOf,
} from "../../../../src/agents/members.ts";
import { state, trace } from "../../../../src/kernels/index.ts";
import { networkNamed } from "../../../../src/rl/contract/network.ts";
import type { OffPolicyAlgorithm } from "../../../../src/rl/contract.ts";
import type { MlpData } from "../../../../src/rl/modules/mlp.ts";
import { lastInputs } from "../../../../src/rl/modules/mlp.ts";
import { readLearner, readNetworks } from "../../../../src/rl/programs/learning.ts";
import { Box, Dict, Discrete } from "../../../../src/rl/spaces.ts";
import { decodeAgent, encodeAgent } from "../../../../src/training/index.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { runOnReference } from "../../../kernels/support/run.ts";
import { agentOf } from "../../support/agents.ts";
import { agentBuffers, expectSlopes, type LossPart, writeLoss } from "../support/lossSlopes.ts";

const observation_space = new Box({ low: -1, high: 1, shape: [2] });
const action_space = new Discrete(3);
const spaces = { observation_space, action_space };
const net_config = {
  latent_dim: 8,
  encoder_config: { hidden_size: [6] },
  head_config: { hidden_size: [4], min_mlp_nodes: 2 },
};
/** Number of features of a context: the last layer's inputs and 1. */
const M = 5;

/** Values and gradient features of contexts [rows, 6], computed independently of the agent's programs. */
function valued(agent: AgentState, contexts: readonly (readonly number[])[]) {
  const program = trace("valued", () => {
    const actor = networkNamed(readNetworks(structureOf(agent)), "actor");
    const latent = actor.encode(state("contexts", [contexts.length, 6]).read());
    const value = actor.head(latent);
    const inputs = lastInputs(actor.data.head as MlpData, "head_net.", actor.parameters, latent);
    state("value", value.shape).write(value);
    state("inputs", inputs.shape).write(inputs);
  });
  const weights = Object.entries(agent.networks.actor?.tensors ?? {}).map(([name, values]) => [
    `actor.${name}`,
    [...values],
  ]);
  const initial = { ...Object.fromEntries(weights), contexts: contexts.flat() };
  const found = runOnReference(program, bindAgent(agent, { num_envs: 1, batch: 1 }), initial, {
    precision: "f64",
  });
  const root = Math.sqrt(M);
  return contexts.map((_, row) => ({
    value: found.value?.[row] as number,
    g: [...(found.inputs ?? []).slice(row * (M - 1), (row + 1) * (M - 1)), 1].map((x) => x / root),
  }));
}

/** Context of each arm: the features in the arm's position, and zeros elsewhere. */
const contextsOf = ([a, b]: readonly [number, number]) => [
  [a, b, 0, 0, 0, 0],
  [0, 0, a, b, 0, 0],
  [0, 0, 0, 0, a, b],
];

const confidenceOf = ({ parameters }: AgentState): number[][] =>
  Array.from({ length: M }, (_, row) => [
    ...(parameters?.confidence?.values ?? []).slice(row * M, (row + 1) * M),
  ]);

const times = (S: number[][], g: readonly number[]): number[] =>
  S.map((row) => row.reduce((sum, x, i) => sum + x * (g[i] as number), 0));
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] as number), 0);

describe("a choice of NeuralUCB", () => {
  it("is the arm of the highest bound; S takes in its direction, by Sherman and Morrison", () => {
    const gamma = 0.8;
    const agent = new NeuralUCB({ ...spaces, net_config, gamma, lamb: 0.5, seed: 3 });
    let S = confidenceOf(agent.state);
    expect(S).toEqual(
      Array.from({ length: M }, (_, i) => Array.from({ length: M }, (__, j) => (i === j ? 0.5 : 0))),
    );
    for (const features of [
      [0.3, -0.8],
      [0.9, 0.1],
      [0.3, -0.8],
      [-0.5, 0.5],
    ] as const) {
      const arms = valued(agent.state, contextsOf(features));
      const bounds = arms.map(({ value, g }) => value + gamma * Math.sqrt(dot(g, times(S, g))));
      const best = bounds.indexOf(Math.max(...bounds));
      expect(agent.getAction(features)).toBe(best);
      const g = arms[best]?.g ?? [];
      const u = times(S, g);
      const denominator = 1 + dot(g, u);
      S = S.map((row, i) => row.map((x, j) => x - ((u[i] as number) * (u[j] as number)) / denominator));
      confidenceOf(agent.state).forEach((row, i) =>
        row.forEach((x, j) => expect(x).toBeCloseTo(S[i]?.[j] as number, 5)),
      );
    }
  });

  it("is the best arm by value, and leaves S, where it is greedy", () => {
    const agent = new NeuralUCB({ ...spaces, net_config, seed: 3 });
    agent.getAction([0.5, 0.5]);
    const before = agent.state.parameters;
    const values = valued(agent.state, contextsOf([0.9, 0.1])).map(({ value }) => value);
    expect(agent.getAction([0.9, 0.1], { training: false })).toBe(values.indexOf(Math.max(...values)));
    expect(agent.state.parameters).toEqual(before);
  });

  it("is none that is not legal", () => {
    const agent = new NeuralUCB({ ...spaces, net_config, seed: 3 });
    for (let arm = 0; arm < 3; arm++) {
      const action_mask = [0, 0, 0].map((_, i) => (i === arm ? 1 : 0));
      expect(agent.getAction([0.5, 0.5], { action_mask })).toBe(arm);
    }
  });
});

it("NeuralTS draws around the values: more often what is better, and the best alone where it is certain", () => {
  const counts = (gamma: number): number[] => {
    const agent = new NeuralTS({ ...spaces, net_config, gamma, seed: 3 });
    const found = [0, 0, 0];
    for (let i = 0; i < 40; i++) {
      const arm = agent.getAction([0.9, 0.1]);
      found[arm] = (found[arm] ?? 0) + 1;
    }
    return found;
  };
  expect(counts(3).every((count) => count > 0)).toBe(true);
  expect(counts(0).toSorted((a, b) => a - b)).toEqual([0, 0, 40]);
});

describe("what belongs to the last layer", () => {
  const agent = () => {
    const made = new NeuralUCB({ ...spaces, net_config, lamb: 2, seed: 3 });
    for (let i = 0; i < 5; i++) made.getAction([0.1 * i, 0.5]);
    return made.state;
  };
  const definition = findAlgorithm("NeuralUCB");

  it("starts anew with its width, and stays where the change is elsewhere", () => {
    const before = agent();
    const mutated = Array.from({ length: 40 }, (_, seed) =>
      mutateArchitecture(before, definition, { new_layer_prob: 0.3, key: { seed } }),
    );
    const [ofHead, others] = [true, false].map((is) =>
      mutated.filter(({ mut }) => mut.startsWith("head_net") === is),
    );
    for (const { agent: after } of ofHead ?? []) {
      const { "head_net.output.weight": weight = [], "head_net.output.bias": bias = [] } =
        after.networks.actor?.tensors ?? {};
      const m = weight.length + 1;
      expect(after.parameters?.confidence?.shape).toEqual([m, m]);
      expect(after.parameters?.confidence?.values.reduce((sum, x) => sum + x, 0)).toBe(2 * m);
      expect([...(after.parameters?.anchor?.values ?? [])]).toEqual([...weight, ...bias]);
      const again = agentFromState(after, { ...spaces, hp_config: null });
      expect(again.getAction([0.2, 0.3])).toBeLessThan(3);
    }
    for (const { agent: after } of others ?? []) expect(after.parameters).toEqual(before.parameters);
    expect(Math.min(ofHead?.length ?? 0, others?.length ?? 0)).toBeGreaterThan(0);
  });

  it("lies in the agent's file", () => {
    const before = agent();
    const { agent: after } = decodeAgent(encodeAgent(before, spaces), "bandit");
    expect(after.parameters).toEqual(before.parameters);
    const next = (state: AgentState) =>
      agentFromState(state, { ...spaces, hp_config: null, seed: 1 }).getAction([0.4, -0.4]);
    expect(next(after)).toBe(next(before));
  });
});

describe("the loss", () => {
  const ROWS = 4;
  const smooth = { activation: "Tanh", hidden_size: [4] };
  const network = {
    latent_dim: 8,
    encoder_config: { ...smooth, output_activation: "Tanh" },
    head_config: smooth,
  };

  it("is the squared error with the pull of the last layer to its first weights", () => {
    const reg = 0.3;
    const agent = new NeuralUCB({ ...spaces, net_config, reg, lr: 0.05, seed: 3 });
    const batch = {
      obs: [0.1, 0.2, 0.5, -0.5],
      action: [2, 0],
      reward: [1, 0],
      next_obs: [0, 0, 0, 0],
      done: [0, 0],
    };
    const anchor = agent.state.parameters?.anchor?.values ?? [];
    for (let step = 0; step < 3; step++) {
      const arms = [
        valued(agent.state, [contextsOf([0.1, 0.2])[2] as number[]])[0]?.value as number,
        valued(agent.state, [contextsOf([0.5, -0.5])[0] as number[]])[0]?.value as number,
      ];
      const { "head_net.output.weight": weight = [], "head_net.output.bias": bias = [] } =
        agent.state.networks.actor?.tensors ?? {};
      const last = [...weight, ...bias];
      const pull = last.reduce((sum, x, i) => sum + (x - (anchor[i] as number)) ** 2, 0);
      const expected = ((arms[0] as number) - 1) ** 2 / 2 + (arms[1] as number) ** 2 / 2 + reg * pull;
      expect(agent.learn(batch)).toBeCloseTo(expected, 5);
    }
    expect([...(agent.state.parameters?.anchor?.values ?? [])]).toEqual([...anchor]);
  });

  it("has gradients that are its slopes", () => {
    const agent = agentOf({ name: "NeuralUCB", reg: 0.2 }, { ...spaces, network });
    const next = numbers(4);
    const fill = (n: number) => Array.from({ length: n }, () => 2 * next() - 1);
    const program = (part: LossPart) =>
      trace("loss", () => {
        const learner = readLearner(structureOf(agent));
        const read = (name: string, shape: number[] = [ROWS]) => state(`batch.${name}`, shape).read();
        const action = state("batch.action", [ROWS], { dtype: "i32" }).read();
        const batch = { obs: read("obs", [ROWS, 2]), action, reward: read("reward") };
        const { learn } = findAlgorithm("NeuralUCB") as OffPolicyAlgorithm;
        const { losses } = learn(learner.networks, batch as never, agent.hyperparameters, {}, spaces);
        writeLoss(part, agent, learner, "optimizer", losses.optimizer as never);
      });
    const still = expectSlopes({
      agent,
      optimizer: "optimizer",
      loss: program("loss"),
      gradients: program("gradients"),
      binding: bindAgent(agent, { num_envs: 1, batch: ROWS }),
      initial: {
        ...agentBuffers(agent, next),
        "batch.obs": fill(2 * ROWS),
        "batch.action": [0, 2, 1, 2],
        "batch.reward": fill(ROWS),
      },
    });
    expect(still).toEqual([]);
  });
});

it("observations that are no row of numbers are refused", () => {
  const mixed = new Dict({ a: observation_space });
  expect(() => new NeuralUCB({ observation_space: mixed, action_space })).toThrow(
    "a bandit observes a row of numbers",
  );
});
