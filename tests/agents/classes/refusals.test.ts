/** Agents and replay buffers reject faulty input of custom loops by name, before learning or storing it. */
import { describe, expect, it } from "vitest";
import {
  createPopulation,
  DQN,
  MultiStepReplayBuffer,
  PrioritizedReplayBuffer,
  ReplayBuffer,
  TD3,
} from "../../../src/agents/classes.ts";
import { DDPG, PPO, RainbowDQN, RolloutBuffer } from "../../../src/agents/index.ts";
import { NetworkSection } from "../../../src/manifests/index.ts";
import { Box, Dict, Discrete, MultiDiscrete } from "../../../src/rl/spaces.ts";
import { SMALL_NETWORK } from "../../rl/support/agents.ts";

const net_config = NetworkSection.parse(SMALL_NETWORK);
const observation_space = new Box({ low: -1, high: 1, shape: [2] });
const spaces = { observation_space, action_space: new Discrete(3, { start: 1 }) };
const continuous = { observation_space, action_space: new Box({ low: [-2], high: [2] }) };

const dqn = () => new DQN({ ...spaces, net_config });
const ppo = (fields: object = {}) =>
  new PPO({ ...spaces, net_config, batch_size: 4, learn_step: 8, ...fields });

/** Three transitions. */
const BATCH = {
  obs: [0, 0.1, 0.2, 0.3, 0.4, 0.5],
  action: [1, 2, 3],
  reward: [1, 0, -1],
  next_obs: [0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
  done: [0, 0, 1],
};
const CONTINUOUS_BATCH = { ...BATCH, action: Float32Array.of(-1, 0, 1) };

/** Faulty batches, and their error messages. */
const BATCHES: readonly [name: string, fields: object, says: string][] = [
  [
    "NaN in an observation",
    { obs: [0, 0, 0, Number.NaN, 0, 0] },
    "experiences.obs: transition 1, number 1: found NaN, allowed finite 32-bit numbers",
  ],
  [
    "infinity in a typed observation",
    { next_obs: Float32Array.of(0, 0, 0, 0, 1 / 0, 0) },
    "experiences.next_obs: transition 2, number 0: found Infinity",
  ],
  [
    "rows among numbers",
    { obs: [[0, 0], [0, 0], [0, 0], 0, 0, 0] },
    "experiences.obs[3]: found 1 number, allowed 2",
  ],
  ["a reward of NaN", { reward: [0, 0, Number.NaN] }, "experiences.reward: transition 2: found NaN"],
  ["rewards that are text", { reward: ["1", "2", "3"] }, 'experiences.reward: transition 0: found "1"'],
  [
    "a half done",
    { done: [0, 0.5, 1] },
    "experiences.done: transition 1: found 0.5, allowed 0 or false, 1 or true",
  ],
  ["done as text", { done: ["no", "no", "yes"] }, 'experiences.done: transition 0: found "no"'],
  ["too few ends", { done: [0, 1] }, "experiences.done: found 2 flags, allowed 3"],
  [
    "too few observations",
    { next_obs: [0, 0] },
    "experiences.next_obs: found 2 numbers, allowed 6 (3 transitions of 2)",
  ],
  [
    "no next_obs",
    { next_obs: undefined },
    "experiences.next_obs: found nothing (it has obs, action, reward, next_obs, done), allowed an object { obs, action, reward, next_obs, done }",
  ],
  ["a mapping as obs", { obs: { x: 1 } }, "experiences.obs: found a plain object with x, allowed numbers"],
];

describe("setHyperparameter", () => {
  it.each([
    ["lr", Number.NaN, 'hyperparameter "lr" of DQN: expected a number, found NaN'],
    ["lr", -1, 'hyperparameter "lr" of DQN: found -1; must be at least 0'],
    ["lr", "0.1", 'hyperparameter "lr" of DQN: expected a number, found "0.1"'],
    ["lr", Number.POSITIVE_INFINITY, 'hyperparameter "lr" of DQN: '],
    ["lr", undefined, 'hyperparameter "lr" of DQN: found nothing, allowed a number'],
    ["batch_size", 0, 'hyperparameter "batch_size" of DQN: found 0; must be at least 1'],
    ["batch_size", 2.5, 'hyperparameter "batch_size" of DQN: '],
    ["learn_step", 0, 'hyperparameter "learn_step" of DQN: found 0; must be at least 1'],
    ["gamma", 1.5, 'hyperparameter "gamma" of DQN: found 1.5; must be at most 1'],
    ["gamma", null, 'hyperparameter "gamma" of DQN: expected a number, found null'],
    ["double", 1, 'hyperparameter "double" of DQN: expected true or false, found 1'],
  ])("refuses %s %j", (name, value, says) => {
    const agent = dqn();
    const before = agent.hyperparameters;
    const setting = () => agent.setHyperparameter(name, value as number);
    expect(setting).toThrow(RangeError);
    expect(setting).toThrow(says);
    expect(agent.hyperparameters).toEqual(before);
  });

  it("refuses values that do not go with others, and takes what the spec allows, of every algorithm", () => {
    const rainbow = new RainbowDQN({ ...spaces, net_config });
    expect(() => rainbow.setHyperparameter("v_max", -5)).toThrow(
      'hyperparameter "v_max" of RainbowDQN: with -5, v_min does not fit: found 0; must be less than v_max (-5)',
    );
    rainbow.setHyperparameter("v_max", 20);
    expect(rainbow.hyperparameters.v_max).toBe(20);
    for (const algorithm of ["DQN", "RainbowDQN", "PPO", "DDPG", "TD3"]) {
      const isContinuous = algorithm === "DDPG" || algorithm === "TD3";
      const population = createPopulation({
        algorithm,
        ...(isContinuous ? continuous : spaces),
        net_config,
        population_size: 1,
      });
      for (const agent of population) {
        for (const [name, value] of Object.entries(agent.hyperparameters))
          if (typeof value === "number") agent.setHyperparameter(name, value);
        expect(() => agent.setHyperparameter("gamma", Number.NaN)).toThrow(`"gamma" of ${algorithm}`);
      }
    }
  });
});

const memories = [
  ["ReplayBuffer", () => new ReplayBuffer({ max_size: 9 })],
  ["PrioritizedReplayBuffer", () => new PrioritizedReplayBuffer({ max_size: 9 })],
  ["MultiStepReplayBuffer", () => new MultiStepReplayBuffer({ max_size: 9, n_step: 1 })],
] as const;

describe.each(memories)("%s.add", (name, make) => {
  function assertRefused(transition: unknown, says: string, configured = true): void {
    const memory = make();
    if (configured) memory.configure(spaces);
    expect(() => memory.add(transition as typeof BATCH)).toThrow(says);
    expect([memory.size, memory.counter]).toEqual([0, 0]);
    // The rejected batch has not fixed the row layout.
    if (!configured) memory.configure({ ...spaces, observation_space: new Discrete(4) });
  }

  it.each(BATCHES)("refuses %s", (_name, fields, says) => {
    assertRefused({ ...BATCH, ...fields }, says);
  });

  it("refuses wrong, missing and unknown fields by name, the first transition too", () => {
    const { obs, ...rest } = BATCH;
    const missing = "experiences.obs: found nothing (it has action, reward, next_obs, done, state)";
    assertRefused({ ...rest, state: obs }, missing, false);
    const unknown =
      'experiences: found the unknown field "rewards", allowed obs, action, reward, next_obs, done';
    assertRefused({ ...BATCH, rewards: [1, 2, 3] }, unknown);
    assertRefused({ ...BATCH, rewards: [1, 2, 3] }, 'did you mean "reward"?');
    assertRefused({ ...BATCH, discount: [1, 1, 1] }, "a memory keeps single steps");
    assertRefused(Object.values(BATCH), "experiences: found a list of 5, allowed an object { obs,");
    assertRefused(undefined, "experiences: found nothing");
    assertRefused({ ...BATCH, reward: [1, Number.NaN, 1] }, "experiences.reward: transition 1", false);
    const wrong = { ...BATCH, truncated: [0, 0, 2] };
    const keepsTruncated = name === "MultiStepReplayBuffer";
    assertRefused(
      wrong,
      keepsTruncated ? "experiences.truncated: transition 2: found 2" : 'unknown field "truncated"',
    );
  });

  it("takes single transitions and batches", () => {
    const memory = make();
    memory.add({ obs: [0, 1], action: 2, reward: 1, next_obs: Float64Array.of(0, 1), done: false });
    memory.add(BATCH);
    expect(memory.size).toBe(4);
  });
});

describe("RolloutBuffer.add", () => {
  const step = {
    obs: [0, 0, 0.5, 0.5],
    next_obs: [0, 0, 0.5, 0.5],
    action: [0, 2],
    log_prob: [-1, -1],
    reward: [0, 1],
    terminated: [0, 0],
    done: [0, 1],
  };
  const steps: readonly [name: string, fields: object, says: string][] = [
    [
      "NaN in an observation",
      { obs: [0, 0, 0, Number.NaN] },
      "RolloutBuffer.add obs[1] of lane 1: found NaN, allowed 2 finite numbers",
    ],
    ["a reward of infinity", { reward: [1 / 0, 0] }, "RolloutBuffer.add reward of lane 0: found Infinity"],
    [
      "a position out of range",
      { action: [0, 3] },
      "RolloutBuffer.add action of lane 1: found 3, allowed an integer from 0 to 2",
    ],
    ["a position that is not whole", { action: [0.5, 1] }, "RolloutBuffer.add action of lane 0: found 0.5"],
    ["a log_prob of NaN", { log_prob: [0, Number.NaN] }, "RolloutBuffer.add log_prob of lane 1: found NaN"],
    ["an end that is 2", { done: [0, 2] }, "RolloutBuffer.add done of lane 1: found 2, allowed 0 and 1"],
    [
      "an end that is NaN",
      { terminated: [Number.NaN, 0] },
      "RolloutBuffer.add terminated of lane 0: found NaN",
    ],
    [
      "a mask that is 2",
      { action_mask: [1, 1, 1, 1, 2, 1] },
      "RolloutBuffer.add action_mask of lane 1: found 2",
    ],
    ["no log_prob", { log_prob: undefined }, "RolloutBuffer.add log_prob: found nothing"],
    ["a number for a list", { reward: 1 }, "RolloutBuffer.add reward: found 1, allowed a list of numbers"],
    [
      "an unknown field",
      { values: [0, 0] },
      'RolloutBuffer.add: found the unknown field "values", allowed obs,',
    ],
    ["too few rewards", { reward: [1] }, "RolloutBuffer.add reward: found 1 numbers, allowed 2"],
  ];

  it.each(steps)("refuses %s", (_name, fields, says) => {
    const buffer = new RolloutBuffer({ ...spaces, capacity: 2, num_envs: 2 });
    expect(() => buffer.add({ ...step, ...fields })).toThrow(says);
    expect(buffer.size).toBe(0);
    buffer.add(step);
    expect(buffer.size).toBe(1);
  });

  it("has PPO.learn refuse the same, with step and lane", () => {
    const two = (field: keyof typeof step, at: number, value: unknown) => {
      const rollout = Object.fromEntries(
        Object.entries(step).map(([name, values]) => [name, [...values, ...values]]),
      );
      (rollout[field] as unknown[])[at] = value;
      return () => ppo().learn({ ...(rollout as typeof step), num_envs: 2 });
    };
    expect(two("reward", 1, 0.5)).not.toThrow();
    expect(two("reward", 3, Number.NaN)).toThrow("rollout.reward of step 1, lane 1: found NaN");
    expect(two("obs", 4, Number.NaN)).toThrow("rollout.obs[0] of step 1, lane 0: found NaN");
    expect(two("action", 1, 3)).toThrow(
      "rollout.action of step 0, lane 1: found 3, allowed an integer from 0 to 2",
    );
    expect(two("done", 2, 0.5)).toThrow("rollout.done of step 1, lane 0: found 0.5, allowed 0 and 1");
    expect(() => ppo().learn({ ...step, num_envs: 2, reward: [1] })).toThrow(
      "found 1 rewards of 2 environments",
    );
    const { next_obs: _next, ...rest } = step;
    expect(() => ppo().learn({ ...rest, num_envs: 2 } as never)).toThrow("rollout next_obs: found nothing");
  });
});

describe("learn", () => {
  const learners = [
    ["DQN", () => dqn(), BATCH],
    ["RainbowDQN", () => new RainbowDQN({ ...spaces, net_config }), BATCH],
    ["TD3", () => new TD3({ ...continuous, net_config }), CONTINUOUS_BATCH],
  ] as const;

  it.each(learners)(
    "of %s refuses batches that do not fit, and learns nothing from them",
    (_name, make, batch) => {
      const agent = make();
      const { networks } = agent.state;
      for (const [, fields, says] of BATCHES)
        expect(() => agent.learn({ ...batch, ...fields } as typeof BATCH)).toThrow(says);
      expect(agent.state.networks).toEqual(networks);
      agent.learn(batch);
      expect(agent.state.networks).not.toEqual(networks);
    },
  );

  it.each([
    [0, "found 0, allowed an integer from 1 to 3 (Discrete)"],
    [4, "found 4, allowed an integer from 1 to 3 (Discrete)"],
    [1.5, "found non-integers"],
  ])("refuses the choice %d", (wrong, says) => {
    for (const agent of [dqn(), new RainbowDQN({ ...spaces, net_config })])
      expect(() => agent.learn({ ...BATCH, action: [1, wrong, 2] })).toThrow(says);
    expect(() => dqn().learn({ ...BATCH, action: [1, 4, 2] })).toThrow(
      "experiences.action of transition 1: ",
    );
  });

  it("refuses actions off the policy's scale, and says how to come to it", () => {
    const batch = { ...CONTINUOUS_BATCH, action: Float32Array.of(0, 1.5, 0) };
    for (const agent of [new DDPG({ ...continuous, net_config }), new TD3({ ...continuous, net_config })])
      expect(() => agent.learn(batch)).toThrow(
        "experiences.action[0] of transition 1: found 1.5, allowed -1 to 1, the policy's own scale: (a - 0) / 2 for an action a of the environment",
      );
  });

  it("refuses observations that are no choices, weights and discounts that are no numbers", () => {
    const agent = new DQN({ ...spaces, observation_space: new MultiDiscrete([2, 3]), net_config });
    const obs = [0, 0, 1, 2, 1, 1];
    const batch = { ...BATCH, obs, next_obs: obs };
    expect(() => agent.learn({ ...batch, next_obs: [0, 0, 2, 2, 1, 1] })).toThrow(
      "experiences.next_obs[0] of transition 1: found 2, allowed 2 integers",
    );
    expect(agent.learn(batch)).toEqual(expect.any(Number));
    const rainbow = new RainbowDQN({ ...spaces, net_config });
    expect(() => rainbow.learn(BATCH, { weights: [1, Number.NaN, 1] })).toThrow(
      "learn weights[1]: found NaN",
    );
    expect(() => rainbow.learn({ ...BATCH, discount: [1, 1, Number.NaN] })).toThrow(
      "experiences.discount[2]: found NaN",
    );
  });
});

describe("getAction", () => {
  const agents = [
    ["DQN", () => dqn()],
    ["RainbowDQN", () => new RainbowDQN({ ...spaces, net_config })],
    ["PPO", () => ppo()],
    ["recurrent PPO", () => ppo({ recurrent: true, net_config: null })],
    ["TD3", () => new TD3({ ...continuous, net_config })],
  ] as const;

  it.each(agents)("of %s refuses observations that are no numbers", (_name, make) => {
    const agent = make();
    const acting =
      (observation: unknown, options: object = {}) =>
      () =>
        agent.getAction(observation as number[], options);
    for (const training of [true, false]) {
      expect(acting([0, Number.NaN], { training })).toThrow(
        "getAction observation[1]: found NaN, allowed 2 finite numbers",
      );
      expect(acting(Float32Array.of(0, 0, 0, 1 / 0), { num_envs: 2, training })).toThrow(
        "getAction observation[1] of lane 1: found Infinity, allowed 2 finite numbers",
      );
    }
    expect(acting(["0", "1"])).toThrow('getAction observation[0]: found "0"');
    expect(
      acting([
        [0, 1],
        [2, 3, 4],
      ]),
    ).toThrow("getAction observation[1]: found 3 numbers, allowed 2");
    expect(
      acting([
        [0, 1],
        ["2", 3],
      ]),
    ).toThrow('getAction observation[1][0]: found "2", allowed numbers');
    expect(acting({ x: 1 })).toThrow(
      "getAction observation: found a plain object with x, allowed 2 finite numbers",
    );
    expect(acting(undefined)).toThrow("getAction observation: found nothing");
    expect(acting(Promise.resolve([0, 0]))).toThrow("getAction observation: found a promise");
    expect(acting([0, 0, 0])).toThrow("getAction observation: found 3 numbers, allowed 2");
    expect(acting([0, 0])).not.toThrow();
  });

  it("names the part of an observation of several, and choices that do not exist", () => {
    const rooms = new Dict({ at: observation_space, room: new Discrete(4) });
    const agent = new DQN({ ...spaces, observation_space: rooms });
    expect(() => agent.getAction([0, 0, 1, 0, 0, 4], { num_envs: 2 })).toThrow(
      "getAction observation.room of lane 1: found 4, allowed an integer from 0 to 3",
    );
    expect(() => agent.getAction([0, Number.NaN, 1])).toThrow("getAction observation.at[1]: found NaN");
    expect(() => new DQN({ ...spaces, observation_space: new Discrete(3), net_config }).getAction(3)).toThrow(
      "getAction observation: found 3, allowed an integer from 0 to 2 (Discrete)",
    );
  });

  it("refuses masks with other values, of another length, and without a legal choice", () => {
    const acting =
      (action_mask: unknown, num_envs = 2) =>
      () =>
        dqn().getAction(new Float32Array(2 * num_envs), { num_envs, action_mask: action_mask as number[] });
    expect(acting([1, 1, 1, 1, Number.NaN, 1])).toThrow(
      "action_mask[1] of observation 1: found NaN, allowed 0 or false, 1 or true",
    );
    expect(acting([1, 1, 1, 1, -0.5, 1])).toThrow("action_mask[1] of observation 1: found -0.5");
    expect(acting({ legal: [1] })).toThrow("action_mask: found a plain object with legal, allowed 6");
    expect(acting([1, 1, 1])).toThrow("action_mask: found 3 numbers, allowed 6");
    expect(acting([1, 1, 1, 0, 0, 0])).toThrow(
      "action_mask of observation 1: found no legal choice, allowed one or more",
    );
    expect(acting([1, 0, true, 0, false, 1])).not.toThrow();
  });
});
