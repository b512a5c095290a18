/** Agents that normalise, scale rewards or observe stacks, in loops of their callers. */
import { describe, expect, it } from "vitest";
import { createPopulation } from "../../../src/agents/classes.ts";
import { collectRollouts, DQN, MADDPG, NeuralUCB, PPO, ReplayBuffer } from "../../../src/agents/index.ts";
import { makeVector, stackFrames } from "../../../src/rl/environments.ts";
import { Agents, Box, Discrete } from "../../../src/rl/spaces.ts";

const LANES = 4;
const NETWORK = { latent_dim: 8, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } };
const normalize = { observations: true, rewards: true };
const spacesOf = (env: ReturnType<typeof makeVector>) => ({
  observation_space: env.single_observation_space,
  action_space: env.single_action_space,
});

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const variance = (values: readonly number[]) => mean(values.map((x) => (x - mean(values)) ** 2));
const column = (rows: readonly ArrayLike<number>[], width: number, i: number) =>
  rows.flatMap((row) => Array.from(row).filter((_, at) => at % width === i));
const close = (found: ArrayLike<number> | undefined, expected: readonly number[]) => {
  expect(found).toHaveLength(expected.length);
  expected.forEach((x, i) => {
    expect(Math.abs((found?.[i] as number) - x)).toBeLessThanOrEqual(1e-4 * (1 + Math.abs(x)));
  });
};

describe("an agent that normalises, in its caller's loop", () => {
  it("has the statistics of the steps that it was told of, if it learns from transitions", () => {
    const env = makeVector("CartPole-v1", LANES);
    const agent = new DQN({ ...spacesOf(env), net_config: NETWORK, normalize, batch_size: 8 });
    const memory = new ReplayBuffer({ max_size: 200 });
    memory.configure(spacesOf(env));
    const seen: Float32Array[] = [];
    const returns: number[] = [];
    const running = new Array<number>(LANES).fill(0);
    let { observation } = env.reset({ seed: 1 });
    for (let step = 0; step < 40; step++) {
      const action = agent.getAction(observation, { num_envs: LANES, epsilon: 1 }) as Int32Array;
      const next = env.step(action);
      const done = next.terminated.map((gone, i) => gone || (next.truncated[i] as number));
      memory.add({
        obs: observation,
        action,
        reward: next.reward,
        next_obs: next.final_observation,
        done: next.terminated,
      });
      agent.learnStatistics({ obs: observation, reward: next.reward, done });
      seen.push(observation.slice());
      for (let lane = 0; lane < LANES; lane++) {
        const earned = (running[lane] as number) * 0.99 + (next.reward[lane] as number);
        returns.push(earned);
        running[lane] = done[lane] ? 0 : earned;
      }
      ({ observation } = next);
    }
    const { observations, rewards } = agent.state.normalization ?? {};
    const columns = [0, 1, 2, 3].map((i) => column(seen, 4, i));
    close(observations?.mean, columns.map(mean));
    close(observations?.variance, columns.map(variance));
    close(rewards?.variance, [variance(returns)]);
    expect(agent.learn(memory.sample(8))).toBeGreaterThan(0);
    expect(agent.state.normalization?.observations?.count[0]).toBe(40 * LANES);
    expect(agent.clone().state.normalization).toEqual(agent.state.normalization);
    agent.release();
    env.close();
  });

  it("has the statistics of its roll-outs, if it learns from those", () => {
    const env = makeVector("CartPole-v1", LANES);
    const [agent] = createPopulation({
      algorithm: { name: "PPO", learn_step: 64, batch_size: 16 },
      ...spacesOf(env),
      population_size: 1,
      net_config: NETWORK,
      normalize,
    });
    if (!(agent instanceof PPO)) throw new Error("not PPO");
    agent.rollout_buffer = agent.makeBuffer(LANES);
    collectRollouts({ agent, env, n_steps: 16 });
    const before = agent.getAction(new Float32Array([50, 50, 1, 1]), { training: false });
    expect(agent.state.normalization?.observations?.count[0]).toBe(0);
    agent.learn(agent.rollout_buffer);
    expect(agent.state.normalization?.observations?.count[0]).toBe(64);
    expect(agent.state.normalization?.rewards?.variance[0]).toBeGreaterThan(0);
    expect(typeof before).toBe("number");
    agent.release();
    env.close();
  });

  it("learns from scaled and cut rewards what another learns from such rewards", () => {
    const spaces = {
      observation_space: new Box({ low: -1, high: 1, shape: [3] }),
      action_space: new Discrete(2),
    };
    const options = { ...spaces, net_config: NETWORK, seed: 4 };
    const batch = (reward: readonly number[]) => ({
      obs: Float32Array.from({ length: 12 }, (_, i) => i / 12),
      action: Int32Array.of(0, 1, 1, 0),
      reward: Float32Array.from(reward),
      next_obs: Float32Array.from({ length: 12 }, (_, i) => i / 24),
      done: Uint8Array.of(0, 0, 1, 0),
    });
    const scaled = new DQN({ ...options, reward_scale: 0.5, reward_clip: [-1, 2] });
    const plain = new DQN(options);
    expect(scaled.learn(batch([1, -8, 3, 9]))).toBe(plain.learn(batch([0.5, -1, 1.5, 2])));
    expect(scaled.state.networks).toEqual(plain.state.networks);
    for (const agent of [scaled, plain]) agent.release();
  });

  it("knows which agents of a team took part", () => {
    const box = new Box({ low: -9, high: 9, shape: [1] });
    const team = new MADDPG({
      observation_space: new Agents({ a: box, b: box }),
      action_space: new Agents({ a: new Discrete(2), b: new Discrete(2) }),
      net_config: NETWORK,
      normalize: { observations: true },
    });
    team.learnStatistics({ obs: [1, 5, 3, 7], reward: [0, 0, 0, 0], done: [0, 0], left: [0, 1, 0, 0] });
    const { observations } = team.state.normalization ?? {};
    expect([...(observations?.count ?? [])]).toEqual([2, 1]);
    close(observations?.mean, [2, 7]);
    team.release();
  });

  it("says what does not fit", () => {
    const spaces = {
      observation_space: new Box({ low: -1, high: 1, shape: [3] }),
      action_space: new Discrete(2),
    };
    const agent = new DQN({ ...spaces, net_config: NETWORK, normalize });
    const step = { obs: [0, 0, 0], reward: 1, done: false };
    agent.learnStatistics(step);
    expect(() => agent.learnStatistics({ ...step, obs: [0, 0] })).toThrow(
      /learnStatistics obs: found 2 numbers, allowed multiples of 3/,
    );
    expect(() => agent.learnStatistics({ ...step, reward: Number.NaN })).toThrow(
      /learnStatistics reward\[0\]: found NaN/,
    );
    expect(() => agent.learnStatistics({ ...step, done: [0, 1] })).toThrow(
      /done: found 2 numbers, allowed 1/,
    );
    agent.release();
    const wrong = { ...spaces, normalize: { clip_rewards: 0 } };
    expect(() => new DQN(wrong)).toThrow(/normalize\.clip_rewards/);
    expect(() => new NeuralUCB({ ...spaces, normalize } as never)).toThrow(/bandits do not have/);
  });
});

it("acts, learns and is tested on stacks of frames", () => {
  const env = stackFrames(makeVector("CartPole-v1", LANES, { max_episode_steps: 20 }), 3);
  const agent = new PPO({ ...spacesOf(env), net_config: NETWORK, learn_step: 64, batch_size: 16, normalize });
  agent.rollout_buffer = agent.makeBuffer(LANES);
  collectRollouts({ agent, env, n_steps: 16 });
  agent.learn(agent.rollout_buffer);
  expect(agent.state.normalization?.observations?.mean).toHaveLength(12);
  expect(agent.test(env)).toBeGreaterThan(0);
  expect(() => agent.test("CartPole-v1")).toThrow(
    /environment\.observation_space: found 4 finite numbers.*this agent has 12/,
  );
  agent.release();
  env.close();
});
