/** PPO agents in custom loops: action spaces, recurrent state, the KL limit, metrics. */
import { describe, expect, it } from "vitest";
import { PPO, type RolloutBuffer } from "../../../src/agents/index.ts";
import { NetworkSection } from "../../../src/manifests/index.ts";
import { Box, Discrete, MultiBinary, MultiDiscrete, type Space } from "../../../src/rl/spaces.ts";
import { SMALL_NETWORK } from "../../rl/support/agents.ts";

const observation_space = new Box({ low: -1, high: 1, shape: [3] });
const LSTM = { latent_dim: 8, encoder_config: { hidden_state_size: 8, num_layers: 2 } };

const agentOf = (fields: object = {}, action_space: Space = new Discrete(4)) =>
  new PPO({ observation_space, action_space, net_config: NetworkSection.parse(SMALL_NETWORK), ...fields });
const recurrentAgent = (fields: object = {}) =>
  agentOf({ recurrent: true, net_config: NetworkSection.parse(LSTM), ...fields });

/** Observations of n environments at a step. */
const observations = (n: number, t = 0) =>
  Float32Array.from({ length: 3 * n }, (_, i) => Math.fround((((i + 5 * t) * 37) % 41) / 41 - 0.5));

/** A rollout of the agent. The first environment's episodes end at every third step. */
function collected(agent: PPO, steps: number, num_envs: number): RolloutBuffer {
  const buffer = agent.makeBuffer(num_envs);
  for (let t = 0; t < steps; t++) {
    const obs = observations(num_envs, t);
    const hidden_state = agent.hiddenState(num_envs);
    const { action, log_prob } = agent.sampleAction(obs, { num_envs });
    const done = Uint8Array.from({ length: num_envs }, (_, i) => (i === 0 && t % 3 === 2 ? 1 : 0));
    const reward = Float32Array.from({ length: num_envs }, (_, i) => Math.cos(i + t));
    const next_obs = observations(num_envs, t + 1);
    buffer.add({ obs, next_obs, action, log_prob, reward, terminated: done, done, hidden_state });
    agent.resetHiddenState(done);
  }
  return buffer;
}

describe("actions of a PPO", () => {
  it.each<[string, Space]>([
    ["several choices", new MultiDiscrete([3, 2, 4])],
    ["bits", new MultiBinary(5)],
    ["bits of a shape", new MultiBinary([2, 2])],
    ["numbers with bounds of their own", new Box({ low: [-1, 0, -3], high: [0.5, 7, -2], shape: [3] })],
    ["numbers with one bound", new Box({ low: [0, -1], high: [Infinity, Infinity], shape: [2] })],
    ["numbers of a shape", new Box({ low: -1, high: 2, shape: [2, 3] })],
  ])("lie in the space: %s", (_name, space) => {
    for (const squash_output of [false, true]) {
      const net_config = NetworkSection.parse({ ...SMALL_NETWORK, squash_output });
      const agent = agentOf({ net_config, action_std_init: 1, learn_step: 8, batch_size: 4 }, space);
      const many = agent.getAction(observations(50), { num_envs: 50 }) as Float32Array | Int32Array;
      const size = many.length / 50;
      for (let i = 0; i < 50; i++) expect(space.contains(many.slice(i * size, (i + 1) * size))).toBe(true);
      const metrics = agent.learn(collected(agent, 4, 2));
      expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
    }
  });

  it("are refused beyond the bounds of a squashed policy's scale, and learnt at them", () => {
    const net_config = NetworkSection.parse({ ...SMALL_NETWORK, squash_output: true });
    const space = new Box({ low: -1e4, high: 1e4, shape: [1] });
    const agent = agentOf({ net_config, batch_size: 2 }, space);
    const pair = [0, 0];
    const obs = [0, 0, 0, 0, 0, 0];
    const given = (action: readonly number[]) => ({
      ...{ obs, next_obs: obs, action, log_prob: pair, reward: [1, 0], terminated: pair, done: pair },
      num_envs: 1,
    });
    expect(() => agent.learn(given([1, -1e4]))).toThrow(
      "rollout.action[0] of step 1, lane 0: found -10000, allowed -1 to 1, the policy's own scale: (a - 0) / 10000 for an action a of the environment",
    );
    expect(Object.values(agent.learn(given([1, -1]))).every(Number.isFinite)).toBe(true);
  });

  it("are never what a mask forbids", () => {
    const several = agentOf({}, new MultiDiscrete([3, 2]));
    const action_mask = Array.from({ length: 200 }, () => [0, 1, 1, 1, 0]).flat();
    const drawn = several.getAction(observations(200), { num_envs: 200, action_mask }) as Int32Array;
    expect(new Set(drawn.filter((_, i) => i % 2 === 0))).toEqual(new Set([1, 2]));
    expect(new Set(drawn.filter((_, i) => i % 2 === 1))).toEqual(new Set([0]));
    const bits = agentOf({}, new MultiBinary(2));
    const forbidden = Array.from({ length: 200 }, () => [1, 0]).flat();
    const set = bits.getAction(observations(200), { num_envs: 200, action_mask: forbidden }) as Int32Array;
    expect(new Set(set.filter((_, i) => i % 2 === 0))).toEqual(new Set([0, 1]));
    expect(new Set(set.filter((_, i) => i % 2 === 1))).toEqual(new Set([0]));
    expect([...(bits.getAction([0, 0, 0], { action_mask: [0, 0], training: false }) as Int32Array)]).toEqual([
      0, 0,
    ]);
  });

  it("need a legal choice of each number", () => {
    const agent = agentOf({}, new MultiDiscrete([3, 2]));
    expect(() => agent.getAction([0, 0, 0], { action_mask: [1, 1, 1, 0, 0] })).toThrow(
      "observation 0: found no legal choice of number 1",
    );
    expect(() => agent.getAction([0, 0, 0], { action_mask: [1, 1] })).toThrow(
      "action_mask: found 2 numbers, allowed 5",
    );
  });
});

describe("the rollout of a PPO", () => {
  it("has two steps where learn_step and environments would make it one", () => {
    const agent = agentOf({ learn_step: 1, batch_size: 1 });
    expect([1, 2, 3].map((num_envs) => agent.makeBuffer(num_envs).capacity)).toEqual([2, 1, 1]);
    // Minibatches may have one step each, because advantages are normalised beforehand.
    const metrics = agent.learn(collected(agent, 2, 1));
    expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
    expect(Object.values(agent.learn(collected(agent, 1, 2))).every(Number.isFinite)).toBe(true);
  });

  it.each([
    ["flat", agentOf],
    ["recurrent", recurrentAgent],
  ])("is refused when it has one step, and changes nothing: %s", (_, make) => {
    const agent = make({ learn_step: 4 });
    const before = agent.state;
    expect(() => agent.learn(collected(agent, 1, 1))).toThrow(
      "learn: found a rollout of 1 step in 1 environment, allowed at least 2 (steps x environments)",
    );
    expect(agent.state.networks).toEqual(before.networks);
  });
});

describe("a recurrent PPO", () => {
  const names = ["h0", "c0", "h1", "c1"].map((name) => `actor.encoder.${name}`);

  it("remembers each environment from call to call, and as it is told", () => {
    const agent = recurrentAgent();
    expect(Object.keys(agent.hiddenState())).toEqual(names);
    const empty = agent.hiddenState(2);
    const { hidden_state: first } = agent.sampleAction(observations(2), { num_envs: 2 });
    expect(agent.hiddenState(2)).toEqual(first);
    const { hidden_state: second } = agent.sampleAction(observations(2), { num_envs: 2 });
    expect(second).not.toEqual(first);
    // A given state is used instead of the stored one, which is unchanged.
    const given = { num_envs: 2, hidden_state: empty };
    expect(agent.sampleAction(observations(2), given).hidden_state).toEqual(first);
    expect(agent.hiddenState(2)).toEqual(second);
    // For a different number of environments, there is no stored state.
    expect(agent.hiddenState(3)["actor.encoder.c1"]).toEqual(new Float32Array(24));
  });

  it("forgets environments whose episode ended, and all when asked", () => {
    const agent = recurrentAgent();
    const { hidden_state } = agent.sampleAction(observations(2), { num_envs: 2 });
    agent.resetHiddenState([1, 0]);
    for (const name of names) {
      const kept = agent.hiddenState(2)[name] as Float32Array;
      expect(kept.subarray(0, 8)).toEqual(new Float32Array(8));
      expect(kept.subarray(8)).toEqual(hidden_state[name]?.subarray(8));
    }
    agent.resetHiddenState();
    expect(agent.hiddenState(2)["actor.encoder.h0"]).toEqual(new Float32Array(16));
  });

  it("acts greedily on what it remembers", () => {
    const agent = recurrentAgent({ share_encoders: false });
    expect(Object.keys(agent.hiddenState())).toEqual([
      ...names,
      ...names.map((name) => name.replace("actor", "critic")),
    ]);
    agent.getAction(observations(1), { training: false });
    const after = agent.hiddenState();
    expect(after["actor.encoder.h0"]?.some((x) => x !== 0)).toBe(true);
    // Greedy actions do not update the critic's recurrent state.
    expect(after["critic.encoder.h0"]?.every((x) => x === 0)).toBe(true);
  });

  it("names what does not fit", () => {
    const agent = recurrentAgent({ learn_step: 8 });
    const { "actor.encoder.c1": _, ...less } = agent.hiddenState();
    expect(() => agent.getAction(observations(1), { hidden_state: less })).toThrow(
      "hidden_state.actor.encoder.c1: found 0 numbers, allowed 8",
    );
    const { hidden_state: _none, ...rollout } = collected(agent, 4, 2).rollout();
    expect(() => agent.learn(rollout)).toThrow(
      "rollout.memory.actor.encoder.h0: found 0 numbers, allowed 64",
    );
    const [obs, zeros] = [observations(2), new Uint8Array(2)];
    expect(() =>
      agent.makeBuffer(2).add({
        obs,
        next_obs: obs,
        action: zeros,
        log_prob: zeros,
        reward: zeros,
        terminated: zeros,
        done: zeros,
      }),
    ).toThrow("RolloutBuffer.add hidden_state.actor.encoder.h0: found 0 numbers, allowed 16");
  });

  it("gives the first learning step the probabilities that it acted with", () => {
    const agent = recurrentAgent({
      learn_step: 24,
      batch_size: 100,
      max_seq_len: 5,
      update_epochs: 1,
      lr: 0,
    });
    const rollout = collected(agent, 12, 2).rollout();
    // With equal probabilities the ratio is 1 everywhere, and the mean of normalised advantages 0.
    expect(agent.learn(rollout).policy_loss).toBeCloseTo(0, 5);
  });
});

describe("a PPO's learning phase", () => {
  const steps = (agent: PPO) => agent.state.optimizers.optimizer?.step;

  it.each([
    ["flat", agentOf],
    ["recurrent", recurrentAgent],
  ] as const)("ends with the epoch that moves the policy past target_kl (%s)", (_name, make) => {
    const fields = { learn_step: 64, batch_size: 4, update_epochs: 5, lr: 3e-3, max_seq_len: 4 };
    const learned = (target_kl: number | null) => {
      const agent = make({ ...fields, target_kl });
      agent.learn(collected(agent, 16, 4));
      return steps(agent) ?? Number.NaN;
    };
    const whole = learned(null);
    expect(learned(1e9)).toBe(whole);
    expect(learned(0)).toBe(whole / 5);
  });

  it("reports means over its minibatches", () => {
    const metricsOf = (batch_size: number, update_epochs: number) => {
      const agent = agentOf({ learn_step: 64, batch_size, update_epochs, lr: 0 });
      return agent.learn(collected(agent, 16, 4));
    };
    const whole = metricsOf(64, 1);
    const parts = metricsOf(16, 3);
    for (const name of ["value_loss", "entropy_loss"])
      expect(parts[name]).toBeCloseTo(whole[name] as number, 4);
  });
});
