/** Metrics of single-agent learning steps, against a scalar reference implementation. */
import { describe, expect, it } from "vitest";
import {
  type AgentState,
  algorithmOf,
  bindAgent,
  hostProgram,
  metricsIn,
  structureOf,
} from "../../../../src/agents/members.ts";
import { state, trace } from "../../../../src/kernels/index.ts";
import type { AlgoSpecInput } from "../../../../src/manifests/index.ts";
import { explainedVariance } from "../../../../src/rl/algorithms/metrics.ts";
import { networkNamed } from "../../../../src/rl/contract/network.ts";
import { actionValues } from "../../../../src/rl/definitions.ts";
import { readNetworks } from "../../../../src/rl/programs/learning.ts";
import { SAMPLED_EVERY } from "../../../../src/rl/programs/metrics.ts";
import { learningMetrics, playMetrics } from "../../../../src/rl/programs.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { type Buffers, runOnReference } from "../../../kernels/support/run.ts";
import { agentOf } from "../../support/agents.ts";
import { agentBuffers } from "../support/lossSlopes.ts";

const [ROWS, INPUTS] = [6, 3];
const observation_space = new Box({ low: -1, high: 1, shape: [INPUTS] });
const spaces = {
  chooses: { observation_space, action_space: new Discrete(3) },
  moves: { observation_space, action_space: new Box({ low: -1, high: 1, shape: [2] }) },
};
type Acts = keyof typeof spaces;
const network = { latent_dim: 6, encoder_config: { hidden_size: [5] }, head_config: { hidden_size: [4] } };

const meanOf = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
const at = (values: ArrayLike<number> | undefined, i = 0): number => values?.[i] ?? Number.NaN;

/** Q-values of the batch's actions by each online critic, from forward passes only. */
function taken(agent: AgentState, initial: Buffers, acts: Acts): number[][] {
  const critics = Object.keys(agent.networks).filter((name) => /^critic(_\d)?$/.test(name));
  const program = trace("values", () => {
    const networks = readNetworks(structureOf(agent));
    const obs = state("batch.obs", [ROWS, INPUTS]).read();
    if (acts === "chooses") {
      const actor = networkNamed(networks, "actor");
      const noisy = agent.algorithm === "RainbowDQN";
      const q = noisy ? actionValues(actor, obs) : actor.forward(obs);
      state("q", q.shape).write(q);
      return;
    }
    const action = state("batch.action", [ROWS, 2]).read();
    for (const name of critics) {
      const critic = networkNamed(networks, name);
      const q = critic.valueOf(critic.encode(obs), action);
      state(name, q.shape).write(q);
    }
  });
  const found = runOnReference(program, bindAgent(agent, { num_envs: 1, batch: ROWS }), initial, {
    precision: "f64",
  });
  if (acts === "moves") return critics.map((name) => [...(found[name] ?? [])]);
  const choices = spaces.chooses.action_space.n;
  return [Array.from({ length: ROWS }, (_, i) => at(found.q, i * choices + at(initial["batch.action"], i)))];
}

interface Learnt {
  readonly agent: AgentState;
  readonly initial: Buffers;
  readonly after: Buffers;
}

/** Learning steps on a batch of terminal transitions, so that the target is the reward. */
function learnt(spec: AlgoSpecInput, acts: Acts, { scale = 1, times = 1 } = {}): Learnt {
  const agent = agentOf(spec, { ...spaces[acts], network });
  const next = numbers(9);
  const fill = (n: number, value = () => 2 * next() - 1) => Array.from({ length: n }, value);
  // Without the noise that a learning step draws, it computes the same values as a forward pass.
  const weights = Object.entries(agentBuffers(agent, next)).map(
    ([name, values]): [string, readonly number[]] => [
      name,
      name.includes("sigma") ? values.map(() => 0) : values,
    ],
  );
  const initial: Buffers = {
    ...Object.fromEntries(weights),
    "batch.obs": fill(ROWS * INPUTS),
    "batch.action": acts === "chooses" ? fill(ROWS, () => Math.floor(3 * next())) : fill(ROWS * 2),
    "batch.reward": fill(ROWS, () => scale * (2 * next() - 1)),
    "batch.next_obs": fill(ROWS * INPUTS),
    "batch.done": fill(ROWS, () => 1),
    "batch.discount": fill(ROWS, () => 0.9),
    "batch.weight": fill(ROWS, () => 1),
    "delay.left": [1],
    "key.0": [5],
    "key.1": [7],
    ...Object.fromEntries(
      Object.keys(agent.optimizers).flatMap((name) => [
        [`${name}.beta1_power`, [1]],
        [`${name}.beta2_power`, [1]],
      ]),
    ),
  };
  const program = hostProgram(agent, spaces[acts], "learn");
  const binding = bindAgent(agent, { num_envs: 1, batch: ROWS });
  return { agent, initial, after: runOnReference(program, binding, initial, { precision: "f64", times }) };
}

/** Norm of the gradients of Adam's first step, whose first moment is a tenth of the gradients. */
function normTaken(agent: AgentState, after: Buffers, optimizers: readonly string[]): number {
  const moments = optimizers.flatMap((name) =>
    Object.keys(agent.optimizers[name]?.first ?? {}).flatMap((key) => after[`${name}.first.${key}`] ?? []),
  );
  expect(moments.length).toBeGreaterThan(20);
  return Math.hypot(...moments.map((m) => m / (1 - 0.9)));
}

const rainbow = { name: "RainbowDQN", num_atoms: 7, v_min: -2, v_max: 2, noise_std: 0 } as const;
const VALUE_METHODS: readonly (readonly [AlgoSpecInput, Acts])[] = [
  [{ name: "DQN" }, "chooses"],
  [{ name: "CQN" }, "chooses"],
  [rainbow, "chooses"],
  [{ name: "DDPG", policy_freq: 1 }, "moves"],
  [{ name: "TD3", policy_freq: 1 }, "moves"],
  [{ name: "SAC" }, "moves"],
  [{ name: "TD3BC", policy_freq: 1 }, "moves"],
  [{ name: "IQL" }, "moves"],
  [{ name: "AWAC" }, "moves"],
];

describe("a learning step of value methods", () => {
  it.each(VALUE_METHODS.map(([spec, acts]) => [spec.name, spec, acts] as const))(
    "%s tells mean Q, TD error and gradient norms",
    (_name, spec, acts) => {
      const { agent, initial, after } = learnt(spec, acts);
      const values = taken(agent, initial, acts);
      expect(values.length).toBeGreaterThan(0);
      const errors = values.map((own) => own.map((q, i) => Math.abs(q - at(initial["batch.reward"], i))));
      expect(at(after["metric.q_mean"])).toBeCloseTo(meanOf(values.flat()), 9);
      expect(at(after["metric.td_error"])).toBeCloseTo(meanOf(errors.flat()), 9);
      const byMetric = new Map<string, string[]>();
      for (const [name, { grad_norm }] of Object.entries(algorithmOf(agent).optimizers))
        if (grad_norm !== undefined) byMetric.set(grad_norm, [...(byMetric.get(grad_norm) ?? []), name]);
      expect([...byMetric.keys()]).toEqual(
        acts === "chooses" ? ["grad_norm"] : ["actor_grad_norm", "critic_grad_norm"],
      );
      for (const [metric, optimizers] of byMetric) {
        const norm = normTaken(agent, after, optimizers);
        expect(norm).toBeGreaterThan(0);
        expect(at(after[`metric.${metric}`])).toBeCloseTo(norm, 9);
      }
    },
  );

  it("tells the norm as it is before clipping", () => {
    // CQN clips at 1.
    const { agent, after } = learnt({ name: "CQN" }, "chooses", { scale: 1000 });
    expect(normTaken(agent, after, ["optimizer"])).toBeCloseTo(1, 5);
    expect(at(after["metric.grad_norm"])).toBeGreaterThan(10);
  });

  it("takes norms that no clipping needs in some steps, and counts only those", () => {
    const steps = SAMPLED_EVERY + 3;
    const [first, many] = [
      learnt({ name: "DQN", lr: 0 }, "chooses"),
      learnt({ name: "DQN", lr: 0 }, "chooses", { times: steps }),
    ];
    expect(at(many.after["counter.learned"])).toBe(steps);
    // Nothing changes at learning rate 0, so each step has the same gradients.
    const norm = at(first.after["metric.grad_norm"]);
    expect(at(many.after["metric.grad_norm"])).toBeCloseTo(2 * norm, 9);
    const means = metricsIn(many.agent, (name) => many.after[name]);
    expect(means.grad_norm).toBeCloseTo(norm, 9);
    expect(means.loss).toBeCloseTo(at(first.after["metric.loss"]), 9);
    expect(Object.keys(means)).toEqual(learningMetrics(algorithmOf(many.agent)));
  });

  it("lists what generations report", () => {
    const of = (spec: AlgoSpecInput, acts: Acts) => algorithmOf(agentOf(spec, { ...spaces[acts], network }));
    const [dqn, ppo] = [of({ name: "DQN" }, "chooses"), of({ name: "PPO" }, "moves")];
    expect(learningMetrics(dqn)).toEqual(["loss", "q_mean", "td_error", "grad_norm"]);
    expect(playMetrics(dqn)).toEqual(["epsilon", "replay_fill"]);
    expect(playMetrics(of(rainbow, "chooses"))).toEqual(["replay_fill"]);
    expect(learningMetrics(ppo)).toEqual([
      "loss",
      "policy_loss",
      "value_loss",
      "entropy_loss",
      "entropy",
      "approx_kl",
      "clip_fraction",
      "grad_norm",
      "explained_variance",
    ]);
    expect(playMetrics(ppo)).toEqual([]);
  });
});

describe("explained variance", () => {
  const explained = (values: readonly number[], returns: readonly number[], weight: readonly number[]) => {
    const program = trace("explained", () => {
      const read = (name: string) => state(name, [values.length]).read();
      state("found", []).write(explainedVariance(read("values"), read("returns"), read("weight")));
    });
    return at(runOnReference(program, {}, { values, returns, weight }, { precision: "f64" }).found);
  };

  it("is 1 of values that foretell returns, 0 of a constant, less than 0 of what misleads", () => {
    const returns = [1, 2, 4, -3];
    const all = [1, 1, 1, 1];
    expect(explained(returns, returns, all)).toBeCloseTo(1, 12);
    // A constant offset adds no variance.
    expect(explained([11, 12, 14, 7], returns, all)).toBeCloseTo(1, 12);
    expect(explained([5, 5, 5, 5], returns, all)).toBeCloseTo(0, 12);
    expect(explained([-1, -2, -4, 3], returns, all)).toBeCloseTo(-3, 12);
  });

  it("leaves out what has no weight, and is 0 of returns that do not vary", () => {
    expect(explained([1, 2, 90], [1, 2, -70], [1, 1, 0])).toBeCloseTo(1, 12);
    expect(explained([1, 2, 3], [4, 4, 4], [1, 1, 1])).toBe(0);
    expect(explained([1, 2], [3, 4], [0, 0])).toBe(0);
  });
});
