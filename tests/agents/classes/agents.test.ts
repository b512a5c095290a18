import { describe, expect, it } from "vitest";
import { createPopulation, DQN, type SupportedAgent, TD3 } from "../../../src/agents/classes.ts";
import { collectRollouts, DDPG, PPO, RainbowDQN, RolloutBuffer } from "../../../src/agents/index.ts";
import type { AgentState } from "../../../src/agents/members.ts";
import {
  HyperparameterConfig,
  Mutations,
  RLParameter,
  TournamentSelection,
} from "../../../src/evolution/index.ts";
import { NetworkSection } from "../../../src/manifests/index.ts";
import { make, makeVector } from "../../../src/rl/environments.ts";
import { EvolvableMLP } from "../../../src/rl/networks.ts";
import { Box, Discrete, MultiBinary, MultiDiscrete, type Space } from "../../../src/rl/spaces.ts";
import { SMALL_NETWORK } from "../../rl/support/agents.ts";
import { probe } from "../../rl/support/probes.ts";
import { outputs } from "../../rl/support/values.ts";

const net_config = NetworkSection.parse(SMALL_NETWORK);
const observation_space = new Box({ low: -1, high: 1, shape: [3] });
const spaces = { observation_space, action_space: new Discrete(4) };
const continuous = { observation_space, action_space: new Box({ low: [-2, -2], high: [2, 2] }) };

const dqn = (fields: object = {}) => new DQN({ ...spaces, net_config, ...fields });
const ppo = (fields: object = {}) => new PPO({ ...spaces, net_config, ...fields });

/** Observations for n lanes, all different. */
const observations = (n: number) =>
  Float32Array.from({ length: 3 * n }, (_, i) => Math.fround(((i * 37) % 41) / 41 - 0.5));

const batchOf = (n: number) => ({
  obs: observations(n),
  action: Int32Array.from({ length: n }, (_, i) => i % 4),
  reward: Float32Array.from({ length: n }, (_, i) => (i % 3) - 1),
  next_obs: observations(n).reverse(),
  done: Uint8Array.from({ length: n }, (_, i) => (i % 5 === 0 ? 1 : 0)),
});

/** The same with two-dimensional continuous actions, on the scale of a deterministic policy. */
const continuousBatchOf = (n: number) => ({
  ...batchOf(n),
  action: Float32Array.from({ length: 2 * n }, (_, i) => ((i * 7) % 5) / 2.5 - 1),
});

/** A rollout of the agent in a probe environment with the agent's spaces. */
function rolloutOf(agent: PPO, steps: number, num_envs: number) {
  const buffer = new RolloutBuffer({ ...spaces, capacity: steps, num_envs });
  for (let t = 0; t < steps; t++) {
    const obs = observations(num_envs).map((x) => x + t / steps);
    const { action, log_prob } = agent.sampleAction(obs, { num_envs });
    const reward = action.map((a) => (a === 1 ? 1 : 0));
    const done = new Uint8Array(num_envs).fill(t % 4 === 3 ? 1 : 0);
    buffer.add({ obs, next_obs: obs, action, log_prob, reward, terminated: done, done });
  }
  return buffer;
}

/** The numbers of a state, to compare bit for bit. */
const numbersOf = ({ networks, optimizers }: AgentState) => structuredClone({ networks, optimizers });

describe("getAction", () => {
  it("gives a number for one observation and an array for several", () => {
    for (const agent of [dqn(), ppo()]) {
      const one = agent.getAction([0.1, 0.2, 0.3]);
      expect(spaces.action_space.contains(one as number)).toBe(true);
      const many = agent.getAction(observations(5), { num_envs: 5 });
      expect(many).toBeInstanceOf(Int32Array);
      expect((many as Int32Array).length).toBe(5);
      expect(agent.getAction(observations(1), { num_envs: 1 })).toBeInstanceOf(Int32Array);
    }
    const agent = new PPO({ ...continuous, net_config, action_std_init: 2 });
    expect(agent.getAction([0, 0, 0])).toEqual(expect.any(Float32Array));
    const actions = Array.from(agent.getAction(observations(200), { num_envs: 200 }) as Float32Array);
    expect(actions.length).toBe(400);
    // Samples of such a wide distribution often exceed the bounds, but applied actions do not.
    expect([Math.min(...actions), Math.max(...actions)]).toEqual([-2, 2]);
  });

  it("acts greedily without epsilon, at random with it, by the same draws for the same calls", () => {
    const agent = dqn({ seed: 5 });
    const obs = observations(64);
    const greedy = agent.getAction(obs, { num_envs: 64 });
    expect(agent.getAction(obs, { num_envs: 64, epsilon: 1, training: false })).toEqual(greedy);
    expect(agent.getAction(obs, { num_envs: 64 })).toEqual(greedy);
    const random = [agent, dqn({ seed: 5 }), dqn({ seed: 6 })].map((a) =>
      a.getAction(obs, { num_envs: 64, epsilon: 1 }),
    );
    expect(random[0]).toEqual(random[1]);
    expect(random[0]).not.toEqual(random[2]);
    expect(agent.getAction(obs, { num_envs: 64, epsilon: 1 })).not.toEqual(random[0]);
  });

  it.each([
    ["DQN", () => dqn(), { epsilon: 1 }],
    ["PPO", () => ppo(), {}],
  ] as const)("takes legal actions only, and all of them (%s)", (_name, make_, options) => {
    const agent: SupportedAgent = make_();
    const obs = new Float32Array(3 * 3000);
    const action_mask = Array.from({ length: 3000 }, (_, i) =>
      i % 2 === 0 ? [1, 0, 1, 1] : [0, 1, 0, 0],
    ).flat();
    const actions = agent.getAction(obs, { num_envs: 3000, action_mask, ...options }) as Int32Array;
    expect([...new Set(actions.filter((_, i) => i % 2 === 1))]).toEqual([1]);
    const counts = new Map<number, number>();
    for (const a of actions.filter((_, i) => i % 2 === 0)) counts.set(a, (counts.get(a) ?? 0) + 1);
    expect(new Set(counts.keys())).toEqual(new Set([0, 2, 3]));
    // 99.9th percentile of chi square with 2 degrees of freedom. PPO may prefer some actions.
    const chi = [...counts.values()].reduce((sum, n) => sum + (n - 500) ** 2 / 500, 0);
    expect(agent instanceof PPO || chi < 13.8).toBe(true);
  });

  it.each([
    ["DQN", () => dqn()],
    ["PPO", () => ppo()],
  ] as const)("takes the best legal action when greedy (%s)", (_name, make_) => {
    const agent: SupportedAgent = make_();
    const obs = [0.3, -0.2, 0.9];
    const order: number[] = [];
    for (let left = 4; left > 0; left--) {
      const action_mask = [0, 1, 2, 3].map((a) => !order.includes(a));
      order.push(agent.getAction(obs, { training: false, action_mask }) as number);
    }
    expect(new Set(order)).toEqual(new Set([0, 1, 2, 3]));
    expect(order[0]).toBe(agent.getAction(obs, { training: false }));
    const again = [0, 1, 2, 3].map((a) => a === order[2] || a === order[3]);
    expect(agent.getAction(obs, { training: false, action_mask: again })).toBe(order[2]);
  });

  it("takes observations of every kind of space", () => {
    const kinds = [
      [new Discrete(3), 2],
      [new Discrete(3, { start: 4 }), 6],
      [new MultiDiscrete([2, 3]), [1, 2]],
      [new MultiBinary(3), [1, 0, 1]],
      [new Box({ low: 0, high: 1, shape: [2, 2] }), [0, 1, 0, 1]],
    ] as const;
    for (const [space, obs] of kinds) {
      const agent = new DQN({ observation_space: space, action_space: new Discrete(2), net_config });
      expect([0, 1]).toContain(agent.getAction(obs));
    }
    const agent = new DQN({
      observation_space: new MultiDiscrete([2, 2]),
      action_space: new Discrete(2),
      net_config,
    });
    const flat = new DQN({ observation_space: new Discrete(4), action_space: new Discrete(2), net_config });
    expect(agent.state.networks.actor?.data).toEqual(flat.state.networks.actor?.data);
  });

  it("reads images as they are when it is not to normalize them", () => {
    const agent = (normalize_images: boolean) =>
      new PPO({
        observation_space: new Box({ low: 0, high: 255, shape: [8, 8, 1] }),
        action_space: new Discrete(4),
        net_config: {
          encoder_config: { channel_size: [8], kernel_size: [3], stride_size: [1] },
          head_config: { hidden_size: [16] },
        },
        normalize_images,
        seed: 1,
      });
    const image = Array.from({ length: 64 }, (_, i) => (i * 37) % 256);
    const sampled = (normalize_images: boolean, scale: number) => {
      const { action, log_prob } = agent(normalize_images).sampleAction(image.map((x) => x * scale));
      return [action[0], log_prob[0]] as [number, number];
    };
    const [action, log_prob] = sampled(true, 1);
    const [same, alike] = sampled(false, 1 / 255);
    expect(same).toBe(action);
    expect(alike).toBeCloseTo(log_prob, 4);
    expect(sampled(false, 1)[1]).not.toBeCloseTo(log_prob, 4);
  });

  it("names what does not fit", () => {
    const agent = dqn();
    expect(() => agent.getAction([1, 2])).toThrow("getAction observation: found 2 numbers, allowed 3");
    expect(() => agent.getAction([...observations(2), 0])).toThrow(
      /found \d+ numbers, allowed \d+, or a multiple/,
    );
    expect(() => agent.getAction([1, 2, 3], { epsilon: 2 })).toThrow(
      "getAction epsilon: found 2, allowed 0 to 1",
    );
    expect(() => agent.getAction([1, 2, 3], { action_mask: [1, 1] })).toThrow(
      "action_mask: found 2 numbers, allowed 4",
    );
    expect(() => agent.getAction([1, 2, 3], { action_mask: [0, 0, 0, 0] })).toThrow("no legal choice");
    expect(() => new PPO({ ...continuous, net_config }).getAction([1, 2, 3], { action_mask: [1] })).toThrow(
      "action_mask: found one for Box actions",
    );
  });
});

describe("learn", () => {
  it("lowers the loss of a DQN on the transitions it learns from", () => {
    const agent = dqn({ lr: 3e-3, tau: 0 });
    const losses = Array.from({ length: 200 }, () => agent.learn(batchOf(32)));
    expect(losses.every(Number.isFinite)).toBe(true);
    expect(losses.at(-1)).toBeLessThan(0.1 * (losses[0] as number));
    expect(Math.max(...Object.values(agent.state.optimizers).map(({ step }) => step))).toBe(200);
  });

  it("takes batches of any size, and the same step whatever was acted in between", () => {
    const [agent, other] = [dqn(), dqn()];
    for (const n of [1, 7, 64]) {
      agent.learn(batchOf(n));
      other.getAction(observations(n + 1), { num_envs: n + 1, epsilon: 1 });
      other.learn(batchOf(n));
      void other.state;
    }
    expect(numbersOf(other.state)).toEqual(numbersOf(agent.state));
  });

  it("moves a PPO's policy toward what paid", () => {
    const agent = ppo({ lr: 3e-3, batch_size: 16, ent_coef: 0 });
    const rate = () => {
      const actions = agent.getAction(observations(200), { num_envs: 200 }) as Int32Array;
      return actions.filter((a) => a === 1).length / 200;
    };
    const before = rate();
    for (let i = 0; i < 30; i++) agent.learn(rolloutOf(agent, 16, 4));
    expect(rate()).toBeGreaterThan(Math.max(0.8, before));
    // 30 phases of 4 epochs with 4 minibatches each.
    expect(Math.max(...Object.values(agent.state.optimizers).map(({ step }) => step))).toBe(30 * 16);
  });

  it("moves a PPO's values toward the returns of a rollout", () => {
    const agent = ppo({ lr: 3e-3, batch_size: 16, share_encoders: false, gamma: 0 });
    const rollout = rolloutOf(agent, 16, 4).rollout();
    const reward = Float32Array.from({ length: 64 }, (_, i) => ((rollout.obs[3 * i] as number) > 0 ? 2 : -1));
    const losses = Array.from({ length: 40 }, () => agent.learn({ ...rollout, reward }));
    expect(Object.keys(losses[0] ?? {})).toEqual([
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
    expect(losses.at(-1)?.value_loss).toBeLessThan(0.2 * (losses[0]?.value_loss as number));
  });

  it("goes on from a state with the same bits as without interruption", () => {
    const whole = dqn();
    const parts = dqn();
    for (let i = 0; i < 5; i++) whole.learn(batchOf(16 + i));
    for (let i = 0; i < 5; i++) {
      parts.learn(batchOf(16 + i));
      parts.state = structuredClone(parts.state);
    }
    expect(numbersOf(parts.state)).toEqual(numbersOf(whole.state));
  });

  it("names what does not fit", () => {
    expect(() => dqn().learn({ ...batchOf(4), reward: [1, 2, 3] })).toThrow(
      "experiences.obs: found 12 numbers, allowed 9",
    );
    expect(() => dqn().learn(batchOf(0))).toThrow("found no transitions");
    const agent = ppo();
    const rollout = rolloutOf(agent, 4, 2).rollout();
    expect(() => agent.learn({ ...rollout, num_envs: 3 })).toThrow("found 8 rewards of 3 environments");
    expect(() => agent.learn({ ...rollout, obs: [1] })).toThrow("rollout.obs: found 1 numbers, allowed 24");
    const full = rolloutOf(agent, 4, 2);
    expect(() => full.add({ ...rollout })).toThrow("it is full (4 steps)");
  });
});

describe("clones", () => {
  it.each([
    ["DQN", () => dqn(), (a: SupportedAgent) => (a as DQN).learn(batchOf(8))],
    ["PPO", () => ppo(), (a: SupportedAgent) => (a as PPO).learn(rolloutOf(a as PPO, 4, 2))],
  ] as const)("are equal to and independent of their parent (%s)", (_name, make_, learn) => {
    const agent: SupportedAgent = make_();
    learn(agent);
    const before = numbersOf(agent.state);
    const clone = agent.clone(9);
    expect([clone.index, clone.parent, clone.constructor]).toEqual([9, 0, agent.constructor]);
    expect(numbersOf(clone.state)).toEqual(before);
    learn(clone);
    clone.setHyperparameter("lr", 0.5);
    clone.mut = "lr";
    clone.test(fixedRewards());
    expect(numbersOf(agent.state)).toEqual(before);
    expect(numbersOf(clone.state)).not.toEqual(before);
    expect([agent.hyperparameters.lr, agent.mut, agent.fitness]).toEqual([1e-4, "None", []]);
    learn(agent);
    expect(numbersOf(agent.state)).not.toEqual(before);
  });
});

/** A vector environment with the spaces of these tests, whose episodes end after 5 steps. */
function fixedRewards(action_space: Space = spaces.action_space) {
  let step = 0;
  return {
    num_envs: 2,
    single_observation_space: observation_space,
    single_action_space: action_space,
    reset: () => ({ observation: observations(2), info: [{}, {}] }),
    step: () => {
      const over = ++step % 5 === 0 ? 1 : 0;
      const observation = observations(2);
      return {
        observation,
        reward: new Float32Array([1, 2]),
        terminated: new Uint8Array(2),
        truncated: new Uint8Array(2).fill(over),
        final_observation: observation,
        info: [{}, {}],
        final_info: [{}, {}],
      };
    },
    close: () => {},
  };
}

describe("test", () => {
  it("is the mean return of first episodes, kept in fitness", () => {
    const agent = dqn();
    expect(agent.test(fixedRewards(), { loop: 3 })).toBe(7.5);
    expect(agent.test(fixedRewards(), { max_steps: 2 })).toBe(3);
    expect(agent.fitness).toEqual([7.5, 3]);
    expect(new DQN({ ...probeSpaces("constant"), net_config }).test(probe("constant"))).toBe(1);
  });

  it("sees the same episodes for the same seed, others in each call without one", () => {
    const env = make("CartPole-v1");
    const vector = makeVector("CartPole-v1", 3);
    const agent = new DQN({
      observation_space: env.observation_space,
      action_space: env.action_space,
      net_config,
    });
    for (const test of [
      (seed?: number) => agent.test(env, { loop: 3, ...(seed === undefined ? {} : { seed }) }),
      (seed?: number) => agent.test(vector, seed === undefined ? {} : { seed }),
      (seed?: number) => agent.test("CartPole-v1", { num_envs: 3, ...(seed === undefined ? {} : { seed }) }),
    ]) {
      expect(test(4)).toBe(test(4));
      expect(new Set([test(), test(), test(), test()]).size).toBeGreaterThan(1);
    }
    env.close();
    vector.close();
  });

  it("refuses environments with other spaces", () => {
    expect(() => dqn().test("CartPole-v1")).toThrow(
      /environment.observation_space: found 4 finite numbers.*this agent has 3/,
    );
    expect(() => dqn().test("CartPole-v2")).toThrow("CartPole-v1");
    expect(() => dqn().test(fixedRewards(), { loop: 0 })).toThrow("test loop: found 0");
  });
});

const probeSpaces = (name: Parameters<typeof probe>[0]) => {
  const { observation_space: observations_, action_space } = probe(name);
  return { observation_space: observations_, action_space };
};

describe("createPopulation", () => {
  it("makes agents with different weights, the same ones for the same seed", () => {
    const options = { algorithm: "DQN", ...spaces, net_config, population_size: 3 };
    const population = createPopulation(options);
    expect(population.map(({ index }) => index)).toEqual([0, 1, 2]);
    const weights = population.map(({ state }) => [
      ...(state.networks.actor?.tensors["encoder.linear_1.weight"] ?? []),
    ]);
    expect(weights[0]).not.toEqual(weights[1]);
    expect(weights[1]).not.toEqual(weights[2]);
    expect(createPopulation(options).map(({ state }) => state)).toEqual(population.map(({ state }) => state));
    expect(createPopulation({ ...options, seed: 1 })[0]?.state.networks).not.toEqual(
      population[0]?.state.networks,
    );
    for (const { state } of population) expect(state.networks.actor_target).toEqual(state.networks.actor);
  });

  it("takes specs, numbers of environments, and hyperparameters to start from", () => {
    const hp_config = new HyperparameterConfig({ lr: new RLParameter({ min: 1e-5, max: 1, value: 0.25 }) });
    const population = createPopulation({
      algorithm: { name: "PPO", learn_step: 64 },
      ...spaces,
      population_size: 2,
      num_envs: 16,
      hp_config,
    });
    for (const agent of population) {
      expect(agent).toBeInstanceOf(PPO);
      expect(agent.hp_config).toBe(hp_config);
      expect(agent.hyperparameters).toMatchObject({ num_envs: 16, learn_step: 64, lr: 0.25 });
      expect((agent as PPO).rollout_buffer).toMatchObject({ capacity: 4, num_envs: 16 });
    }
  });

  it("refuses hyperparameters that may leave their fields' bounds, in new and in restored agents", () => {
    const wide = new HyperparameterConfig({ gamma: new RLParameter({ min: 0.9, max: 5 }) });
    const message = "hp_config.gamma.max: found 5; gamma must be at most 1";
    const options = { ...spaces, net_config };
    const of = (algorithm: string) => ({ algorithm, ...options, population_size: 1, hp_config: wide });
    for (const algorithm of ["DQN", "PPO"]) expect(() => createPopulation(of(algorithm))).toThrow(message);
    const { state } = new PPO(options);
    expect(() => new PPO({ state, ...spaces, hp_config: wide })).toThrow(message);
  });

  it("takes every name that manifests may use", () => {
    const made = (algorithm: string) =>
      createPopulation({ algorithm, ...spaces, population_size: 1 })[0] as SupportedAgent;
    for (const name of ["Recurrent PPO", "RecurrentPPO"]) {
      expect(made(name)).toBeInstanceOf(PPO);
      expect(made(name).hyperparameters.recurrent).toBe(true);
    }
    expect(made("Rainbow DQN")).toBeInstanceOf(RainbowDQN);
  });

  it("puts the caller's networks into every agent, and they learn", () => {
    const actor_network = new EvolvableMLP({ num_inputs: 3, num_outputs: 4, hidden_size: [8] });
    const critic_network = new EvolvableMLP({ num_inputs: 3, num_outputs: 1, hidden_size: [8] });
    for (const given of [{ actor_network }, { critic_network }, { actor_network, critic_network }]) {
      const [agent] = createPopulation({
        algorithm: "PPO",
        ...spaces,
        net_config,
        population_size: 1,
        ...given,
      });
      const before = numbersOf((agent as PPO).state);
      const weights = before.networks.actor?.tensors["head_net.linear_1.weight"];
      const own = actor_network.parameters()["linear_1.weight"];
      expect(JSON.stringify(weights) === JSON.stringify(own)).toBe("actor_network" in given);
      (agent as PPO).learn(rolloutOf(agent as PPO, 4, 2));
      expect((agent as PPO).state.networks.critic?.tensors).not.toEqual(before.networks.critic?.tensors);
      expect((agent as PPO).state.networks.actor?.tensors).not.toEqual(before.networks.actor?.tensors);
    }
    const std = createPopulation({
      algorithm: { name: "PPO", action_std_init: 0.5 },
      ...continuous,
      population_size: 1,
      actor_network: new EvolvableMLP({ num_inputs: 3, num_outputs: 2, hidden_size: [8] }),
    });
    expect(std[0]?.state.networks.actor?.tensors.log_std).toEqual(new Float32Array([0.5, 0.5]));
    const squashed = new PPO({
      ...continuous,
      net_config: NetworkSection.parse({ squash_output: true }),
      actor_network: new EvolvableMLP({ num_inputs: 3, num_outputs: 2, hidden_size: [8] }),
    });
    expect(squashed.state.networks.actor?.data.distribution).toMatchObject({ squash_output: true });
  });

  it("names what is wrong", () => {
    const small = new EvolvableMLP({ num_inputs: 2, num_outputs: 4, hidden_size: [8] });
    expect(() => dqn({ actor_network: small })).toThrow(
      "actor_network: network module: found 2 inputs, allowed 3",
    );
    expect(() => dqn({ critic_network: small })).toThrow("critic_network: DQN has no such critic");
    expect(() => dqn({ learning_rate: 1 })).toThrow(/learning_rate/);
    expect(() => dqn({ lr: -1 })).toThrow(/lr/);
    expect(() => dqn({ device: "cuda" })).toThrow('device: found "cuda", allowed "cpu"');
    expect(() => new DQN({ ...continuous })).toThrow(/DQN cannot act/);
    expect(() => createPopulation({ algorithm: "TD4", ...spaces, population_size: 1 })).toThrow(/TD4/);
    expect(() => createPopulation({ algorithm: "DQN", ...spaces, population_size: 0 })).toThrow(
      "population_size: found 0",
    );
    expect(() => new PPO({ ...spaces, state: dqn().state })).toThrow(
      "found the state of a DQN agent, allowed PPO",
    );
    const { state } = dqn();
    const wide = new Box({ low: -1, high: 1, shape: [5] });
    expect(() => new DQN({ ...spaces, observation_space: wide, state })).toThrow(
      /^observation_space: found 5 finite numbers .*, but the stored agent reads 3 numbers; give the space/,
    );
    expect(() => new DQN({ ...spaces, action_space: new Discrete(7), state })).toThrow(
      /^action_space: found an integer from 0 to 6 .*, but the stored agent has 4 choices as actions; give the space/,
    );
    expect(() => new PPO({ ...continuous, state: new PPO({ ...spaces, net_config }).state })).toThrow(
      /^action_space: found 2 finite numbers .*, but the stored agent has 4 choices as actions/,
    );
    expect(() => dqn().setHyperparameter("lrr", 1)).toThrow('hyperparameter "lrr"');
  });
});

describe("evolution of agents", () => {
  it("selects, mutates and lets them act and learn on", () => {
    for (const algorithm of ["DQN", "RainbowDQN", "DDPG", "TD3", "PPO"]) {
      const own = algorithm === "DDPG" || algorithm === "TD3" ? continuous : spaces;
      let population = createPopulation({ algorithm, ...own, net_config, population_size: 4 });
      const mutations = new Mutations({
        no_mutation: 0,
        architecture: 1,
        new_layer_prob: 0.5,
        parameters: 1,
        activation: 1,
        rl_hp: 1,
      });
      const selection = new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 4 });
      for (let generation = 0; generation < 4; generation++) {
        for (const agent of population) {
          if (agent instanceof PPO) agent.learn(rolloutOf(agent, 4, 2));
          else if (agent instanceof DQN || agent instanceof RainbowDQN) agent.learn(batchOf(8));
          else if (agent instanceof DDPG || agent instanceof TD3) agent.learn(continuousBatchOf(8));
          agent.getAction(observations(2), { num_envs: 2 });
          agent.test(fixedRewards(own.action_space));
        }
        const { elite, population: next } = selection.select(population, { generation });
        expect(elite.constructor).toBe(population[0]?.constructor);
        population = [...mutations.mutation(next, { generation })];
      }
      expect(new Set(population.map(({ index }) => index)).size).toBe(4);
      expect(population.some(({ mut }) => mut !== "None")).toBe(true);
      for (const agent of population)
        expect(Math.max(...Object.values(agent.state.optimizers).map(({ step }) => step))).toBeGreaterThan(0);
    }
  });

  it("changes hyperparameters of later learning steps", () => {
    const agent = dqn({ lr: 0 });
    const before = outputs({ ...agent.state }, "actor", 3);
    agent.learn(batchOf(8));
    expect(outputs(agent.state, "actor", 3)).toEqual(before);
    agent.setHyperparameter("lr", 0.01);
    agent.learn(batchOf(8));
    expect(outputs(agent.state, "actor", 3)).not.toEqual(before);
  });
});

describe("collectRollouts", () => {
  it("fills the agent's buffer and goes on where it ended", () => {
    const env = fixedRewards();
    const agent = ppo({ learn_step: 8, num_envs: 2 });
    const [scores, last_obs, last_done, last_scores, last_info] = collectRollouts({ agent, env, n_steps: 4 });
    expect([scores, [...last_done], [...last_scores]]).toEqual([[], [0, 0], [4, 8]]);
    expect(agent.rollout_buffer.isFull).toBe(true);
    agent.rollout_buffer.clear();
    const next = collectRollouts({ agent, env, n_steps: 4, last_obs, last_done, last_scores, last_info });
    expect([next[0], [...next[3]]]).toEqual([
      [5, 10],
      [3, 6],
    ]);
    const { done, reward, log_prob } = agent.rollout_buffer.rollout();
    expect([...(done as Float32Array)]).toEqual([1, 1, 0, 0, 0, 0, 0, 0]);
    expect([...(reward as Float32Array)]).toEqual([1, 2, 1, 2, 1, 2, 1, 2]);
    expect([...(log_prob as Float32Array)].every((x) => x < 0)).toBe(true);
  });
});
