/** Observations as callers have them: parts of a Dict or Tuple, lists, and as many as there are. */
import { describe, expect, expectTypeOf, it } from "vitest";
import { DQN, ReplayBuffer, type SupportedAgent, TD3 } from "../../../src/agents/classes.ts";
import { MADDPG, PPO } from "../../../src/agents/index.ts";
import {
  type HostEnvironment,
  type ParallelEnvironment,
  SyncVectorEnvironment,
} from "../../../src/rl/faces.ts";
import { Box, Dict, Discrete, Tuple } from "../../../src/rl/spaces.ts";

const position = new Box({ low: -1, high: 1, shape: [2] });
const image = new Box({ low: 0, high: 255, shape: [1, 5, 5], dtype: "uint8" });
const dict = new Dict({ position, image, gear: new Discrete(3) });
const tuple = new Tuple([new Discrete(3), position]);
const net_config = { latent_dim: 8, head_config: { hidden_size: [8] } };
const choices = { action_space: new Discrete(4), net_config };

const pixels = (start: number): Uint8Array => Uint8Array.from({ length: 25 }, (_value, i) => start + i);
const seen = (i: number) => ({ position: [0.1 * i, -0.2], image: pixels(10 * i), gear: i % 3 });
/** The same in another order of keys, which does not matter. */
const turned = (i: number) => ({ gear: i % 3, image: [...pixels(10 * i)], position: [0.1 * i, -0.2] });
const flat = (...ids: readonly number[]): number[] => ids.flatMap((i) => [...dict.join(seen(i))]);
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];

describe("observations of a Dict", () => {
  const agent = new DQN({ observation_space: dict, ...choices });
  const options = { training: false } as const;

  it("are objects by key, in any order of keys", () => {
    const action = agent.getAction(seen(2), options);
    expectTypeOf(action).toEqualTypeOf<number>();
    expect(action).toBe(agent.getAction(flat(2), options));
    expect(agent.getAction(turned(2), options)).toBe(action);
  });

  it("several are a list of objects, or an object whose arrays follow one another", () => {
    const expected = agent.getAction(flat(...EIGHT), { ...options, num_envs: 8 });
    const actions = agent.getAction(EIGHT.map(seen), options);
    expectTypeOf(actions).toEqualTypeOf<number | Int32Array>();
    expect(actions).toEqual(expected);
    const side = {
      position: EIGHT.flatMap((i) => seen(i).position),
      image: EIGHT.flatMap((i) => [...seen(i).image]),
      gear: EIGHT.map((i) => seen(i).gear),
    };
    expect(agent.getAction(side, options)).toEqual(expected);
  });

  it.each<[object, string]>([
    [
      { ...seen(0), speed: 1 },
      "getAction observation.speed: found an unknown key, allowed position, image, gear",
    ],
    [{ position: [0, 0], gear: 1 }, "getAction observation.image: found nothing, allowed 25 numbers"],
    [{ ...seen(0), position: "left" }, 'getAction observation.position: found "left", allowed 2 numbers'],
    [{ ...seen(0), position: ["1", 2] }, 'getAction observation.position[0]: found "1", allowed numbers'],
    [{ ...seen(0), position: [0, 0, 0] }, "getAction observation.position: found 3 numbers, allowed 2"],
    [{ ...seen(0), gear: [0, 1] }, "getAction observation.gear: found 2 numbers, allowed 1"],
    [{ ...seen(0), gear: 7 }, "getAction observation.gear: found 7, allowed an integer from 0 to 2"],
    [[seen(0), { gear: 1 }], "getAction observation[1].position: found nothing, allowed 2 numbers"],
  ])("are refused with the key that is wrong: %j", (observation, message) => {
    expect(() => agent.getAction(observation as never, options)).toThrow(message);
  });

  it("are learned from, and kept in replay buffers that know the spaces", () => {
    const memory = new ReplayBuffer({ max_size: 16 });
    const one = { obs: seen(1), next_obs: turned(2), action: 3, reward: 1, done: false };
    expect(() => memory.add({ ...one, obs: [seen(1)], next_obs: [seen(2)] })).toThrow(
      /experiences.obs: found a list of 1 with lists or objects in it, allowed numbers.*call configure\(\)/,
    );
    memory.configure({ observation_space: dict, action_space: choices.action_space });
    memory.add(one);
    memory.add({
      ...one,
      obs: [seen(3), seen(4)],
      next_obs: [seen(5), seen(6)],
      action: [0, 1],
      reward: [0, 0],
      done: [0, 1],
    });
    const { obs, next_obs } = memory.transitionsAt([0, 1, 2]);
    expect([[...obs], [...next_obs]]).toEqual(
      [flat(1, 3, 4), flat(2, 5, 6)].map((all) => all.map(Math.fround)),
    );
    const batch = {
      ...one,
      obs: [seen(1), seen(2)],
      next_obs: [seen(3), seen(4)],
      action: [0, 1],
      reward: [0, 1],
      done: [0, 1],
    };
    const copy = agent.clone();
    expect(agent.learn(batch)).toBe(copy.learn({ ...batch, obs: flat(1, 2), next_obs: flat(3, 4) }));
    expect(() => agent.learn({ ...one, next_obs: { ...seen(1), gear: [] } })).toThrow(
      "experiences.next_obs.gear: found 0 numbers, allowed 1",
    );
  });

  it("are kept in rollouts", () => {
    const ppo = new PPO({ observation_space: dict, ...choices, num_envs: 2, learn_step: 4 });
    const { action, log_prob } = ppo.sampleAction([seen(0), seen(1)]);
    const rest = { action, log_prob, reward: [0, 1], terminated: [0, 0], done: [0, 0] };
    const buffer = ppo.makeBuffer(2);
    buffer.add({ ...rest, obs: [seen(0), seen(1)], next_obs: [seen(2), seen(3)] });
    expect(Array.from(buffer.rollout().obs)).toEqual(flat(0, 1).map(Math.fround));
    const learned = ppo
      .clone()
      .learn({ ...rest, num_envs: 2, obs: [seen(0), seen(1)], next_obs: [seen(2), seen(3)] });
    expect(learned).toEqual(ppo.learn(buffer));
  });

  it("come from environments", () => {
    const environment: HostEnvironment = {
      observation_space: dict,
      action_space: choices.action_space,
      reset: () => ({ observation: seen(1), info: {} }),
      step: () => ({ observation: turned(2), reward: 1, terminated: true, truncated: false, info: {} }),
    };
    const lanes = new SyncVectorEnvironment([() => environment]);
    expect([...lanes.reset().observation]).toEqual(flat(1).map(Math.fround));
    expect([...lanes.step([0]).final_observation]).toEqual(flat(2).map(Math.fround));
    expect(agent.test(environment)).toBe(1);
    const faulty = {
      ...environment,
      reset: () => ({ observation: { ...seen(1), image: [1, 2] }, info: {} }),
    };
    expect(() => new SyncVectorEnvironment([() => faulty]).reset()).toThrow(
      /env.reset\(\) of lane 0: observation.image: found 2 numbers, allowed 25/,
    );
  });

  it("are in their space, or not", () => {
    expect(dict.contains(seen(1))).toBe(true);
    expect(dict.contains({ ...seen(1), gear: 3 })).toBe(false);
    expect(dict.contains({ position: [0, 0], gear: 1 })).toBe(false);
    expect(tuple.contains([1, [0, 1]])).toBe(true);
    expect(tuple.contains([1, [0, 2]])).toBe(false);
  });
});

describe("observations of a Tuple", () => {
  const agent = new DQN({ observation_space: tuple, ...choices });
  const options = { training: false } as const;

  it("are lists of parts, several are lists of those", () => {
    const one = agent.getAction([2, [0.5, -0.5]], options);
    expect(one).toBe(agent.getAction([2, 0.5, -0.5], options));
    const several = agent.getAction(
      [
        [2, [0.5, -0.5]],
        [0, [0.1, 0.2]],
      ] as never,
      options,
    );
    expect(several).toEqual(agent.getAction([2, 0.5, -0.5, 0, 0.1, 0.2], { ...options, num_envs: 2 }));
    expect(() => agent.getAction([2, [0.5]], options)).toThrow("getAction observation");
  });
});

describe("the number of observations follows from their length", () => {
  const observation_space = position;
  const EIGHT_ROWS = Float32Array.from({ length: 16 }, (_value, i) => Math.sin(i));

  it.each<[string, SupportedAgent, number]>([
    ["DQN", new DQN({ observation_space, ...choices }), 8],
    ["TD3", new TD3({ observation_space, net_config, action_space: position }), 16],
    ["PPO", new PPO({ observation_space, ...choices }), 8],
  ])("%s", (_name, agent, length) => {
    const given = agent.getAction(EIGHT_ROWS, { num_envs: 8, training: false });
    expect(given).toHaveLength(length);
    expect(agent.getAction(EIGHT_ROWS, { training: false })).toEqual(given);
    const rows = Array.from({ length: 8 }, (_row, i) => EIGHT_ROWS.subarray(2 * i, 2 * i + 2));
    expect(agent.getAction(rows, { training: false })).toEqual(given);
    const [first] = given as Float32Array;
    expect(agent.getAction(rows.slice(0, 1), { training: false })).toHaveLength(length / 8);
    expect([agent.getAction(EIGHT_ROWS.subarray(0, 2), { training: false })].flat()[0]).toEqual(
      length === 8 ? first : (given as Float32Array).slice(0, 2),
    );
    expect(() => agent.getAction(EIGHT_ROWS.subarray(0, 3))).toThrow(
      "getAction observation: found 3 numbers, allowed 2, or a multiple for several observations",
    );
  });

  it("of several agents, too", () => {
    const spaces = {
      observation_space: { left: dict, right: position },
      action_space: { left: choices.action_space, right: position },
    };
    const agent = new MADDPG({ ...spaces, net_config });
    const options = { training: false } as const;
    const right = EIGHT_ROWS.subarray(0, 4);
    const several = agent.getAction({ left: [seen(0), seen(1)], right }, options);
    expect(several).toEqual(agent.getAction({ left: flat(0, 1), right }, { ...options, num_envs: 2 }));
    expect(several.left).toHaveLength(2);
    expect(agent.getAction({ left: seen(0), right: [0, 0] }, options).left).toBeTypeOf("number");
    expect(() => agent.getAction({ left: { ...seen(0), far: 1 }, right: [0, 0] }, options)).toThrow(
      "getAction observations.left.far: found an unknown key",
    );
    expect(() => agent.getAction({ left: [seen(0), seen(1)], right: [0, 0] }, options)).toThrow(
      "getAction observations.right: found 2 numbers, allowed 4",
    );
    const result = (left: number) => ({
      observations: { left: seen(left), right: [0, 0] },
      infos: { left: {}, right: {} },
    });
    const world: ParallelEnvironment = {
      possible_agents: ["left", "right"],
      agents: ["left", "right"],
      observation_spaces: spaces.observation_space,
      action_spaces: spaces.action_space,
      reset: () => result(1),
      step: () => ({
        ...result(2),
        rewards: { left: 1, right: 1 },
        terminations: { left: true, right: true },
        truncations: { left: false, right: false },
      }),
    };
    expect(agent.test(world)).toBe(2);
    const lanes = new SyncVectorEnvironment([() => world]);
    expect([...lanes.reset().observation.subarray(0, 28)]).toEqual(flat(1).map(Math.fround));
  });
});
