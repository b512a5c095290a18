import { describe, expect, it } from "vitest";
import { MultiStepReplayBuffer, ReplayBuffer } from "../../../src/agents/classes.ts";
import { Agents, Box, Discrete } from "../../../src/rl/spaces.ts";

const layout = {
  observation_space: new Agents({
    left_0: new Box({ low: -9, high: 9, shape: [2] }),
    right_0: new Box({ low: -9, high: 9, shape: [1] }),
  }),
  action_space: new Agents({
    left_0: new Discrete(3),
    right_0: new Box({ low: -1, high: 1, shape: [1] }),
  }),
};
const masked = { ...layout, masked: true };

const STEP = {
  obs: { left_0: [1, 2], right_0: [3] },
  action: { left_0: 2, right_0: [0.5] },
  reward: { left_0: 0.25, right_0: -1 },
  next_obs: { left_0: [4, 5], right_0: [6] },
  done: { left_0: false, right_0: true },
};
const configured = (spaces: Parameters<ReplayBuffer["configure"]>[0] = layout) => {
  const memory = new ReplayBuffer({ max_size: 8 });
  memory.configure(spaces);
  return memory;
};
const arrays = (batch: object) =>
  Object.fromEntries(Object.entries(batch).map(([field, values]) => [field, Array.from(values)]));

describe("a memory of several agents", () => {
  it("keeps joint rows of what is given by agent, whatever the order of the record", () => {
    const joint = { obs: [1, 2, 3], action: [2, 0.5], reward: [0.25, -1], next_obs: [4, 5, 6], done: [0, 1] };
    const turned = Object.fromEntries(
      Object.entries(STEP).map(([field, values]) => [
        field,
        Object.fromEntries(Object.entries(values).reverse()),
      ]),
    ) as typeof STEP;
    for (const memory of [new ReplayBuffer({ max_size: 8 }), configured()]) {
      memory.add(STEP);
      memory.add(turned);
      memory.add(joint);
      expect([0, 1, 2].map((row) => arrays(memory.transitionsAt([row])))).toEqual([joint, joint, joint]);
    }
  });

  it("takes several transitions at once, of each agent one after another", () => {
    const memory = configured();
    memory.add({
      obs: { left_0: [1, 2, 7, 8], right_0: [3, 9] },
      action: { left_0: [0, 1], right_0: [0, 1] },
      reward: { left_0: [1, 2], right_0: [3, 4] },
      next_obs: { left_0: [0, 0, 0, 0], right_0: [0, 0] },
      done: { left_0: [0, 2], right_0: [1, 0] },
    });
    expect(arrays(memory.transitionsAt([0, 1]))).toEqual({
      obs: [1, 2, 3, 7, 8, 9],
      action: [0, 0, 1, 1],
      reward: [1, 3, 2, 4],
      next_obs: [0, 0, 0, 0, 0, 0],
      done: [0, 1, 2, 0],
    });
  });

  it("keeps what was legal where it is told to, all of it unless given", () => {
    const memory = configured(masked);
    memory.add({ ...STEP, next_action_mask: { left_0: [1, 0, 1] } });
    memory.add({ ...STEP, action_mask: { left_0: [false, false, true] } });
    memory.add({ obs: [1, 2, 3], action: [2, 0.5], reward: [0, 0], next_obs: [4, 5, 6], done: [0, 0] });
    const { obs, next_obs } = arrays(memory.transitionsAt([0, 1, 2]));
    expect(obs).toEqual([1, 2, 3, 1, 1, 1, 1, 2, 3, 0, 0, 1, 1, 2, 3, 1, 1, 1]);
    expect(next_obs).toEqual([4, 5, 6, 1, 0, 1, 4, 5, 6, 1, 1, 1, 4, 5, 6, 1, 1, 1]);
    const own = new ReplayBuffer({ max_size: 8 });
    own.add({ ...STEP, action_mask: { left_0: [1, 0, 1] } });
    expect(arrays(own.transitionsAt([0])).obs).toEqual([1, 2, 3, 1, 0, 1]);
    own.configure(masked, 2);
    expect(own.size).toBe(1);
  });

  it("goes into files and comes back, with its agents' number and masks", () => {
    for (const spaces of [layout, masked]) {
      const memory = configured(spaces);
      memory.add(STEP);
      memory.add(STEP);
      const back = ReplayBuffer.fromArrays(memory.toArrays());
      expect(back.transitionsAt([0, 1])).toEqual(memory.transitionsAt([0, 1]));
      back.configure(spaces);
      back.add(STEP);
      expect(back.size).toBe(3);
    }
  });

  it("may be that of a single agent in a world of several, also from a file", () => {
    const alone = {
      observation_space: new Agents({ agent_0: new Box({ low: 0, high: 9, shape: [2] }) }),
      action_space: new Agents({ agent_0: new Discrete(3) }),
    };
    const memory = new ReplayBuffer({ max_size: 8 });
    const step = { obs: { agent_0: [1, 2] }, action: { agent_0: 1 }, reward: { agent_0: 3 } };
    memory.add({ ...step, next_obs: { agent_0: [4, 5] }, done: { agent_0: 0 } });
    memory.configure(alone);
    const back = ReplayBuffer.fromArrays(memory.toArrays());
    back.configure(alone);
    expect(arrays(back.transitionsAt([0]))).toEqual({
      obs: [1, 2],
      action: [1],
      reward: [3],
      next_obs: [4, 5],
      done: [0],
    });
  });

  it("refuses what does not fit with agent and place, and stays as it was", () => {
    const cases: [object, string][] = [
      [
        { reward: { left_0: 1 } },
        "experiences.reward.right_0: found nothing, allowed a value for each agent: left_0, right_0",
      ],
      [
        { obs: { ...STEP.obs, ghost: 1 } },
        "experiences.obs.ghost: found no such agent, allowed left_0, right_0",
      ],
      [{ obs: { ...STEP.obs, left_0: [1] } }, "experiences.obs.left_0: found 1 numbers, allowed 2"],
      [
        { obs: { ...STEP.obs, left_0: [1, Number.NaN] } },
        "experiences.obs.left_0: transition 0, number 1: found NaN",
      ],
      [{ reward: { left_0: 1, right_0: Number.NaN } }, "experiences.reward.right_0: transition 0: found NaN"],
      [{ done: { left_0: 3, right_0: 0 } }, "experiences.done.left_0: transition 0: found 3"],
      [{ done: [0, 0] }, "experiences.done: found a list of 2"],
      [{ action_mask: { left_0: [1, 1, 1] } }, "experiences.action_mask: found a mask"],
      [{ extra: 1 }, 'experiences: found the unknown field "extra"'],
    ];
    for (const [change, message] of cases) {
      const memory = configured();
      expect(() => memory.add({ ...STEP, ...change })).toThrow(message);
      expect([memory.size, memory.counter]).toEqual([0, 0]);
    }
    const memory = configured(masked);
    const mask = { action_mask: { left_0: [1, 2, 1] } };
    expect(() => memory.add({ ...STEP, ...mask })).toThrow(
      "experiences.action_mask.left_0: transition 0, number 1: found 2",
    );
    const rows = { obs: [1, 2, 3], action: [2, 0.5], next_obs: [4, 5, 6], done: [0, 0] };
    expect(() => memory.add({ ...rows, reward: [1, 2, 3] })).toThrow("experiences.reward: found 3 numbers");
    expect(() => memory.add({ ...rows, reward: [1, 2], done: [0, 3] })).toThrow(
      "experiences.done: transition 0, agent 1: found 3",
    );
  });

  it("is not that of other agents, of one agent, or without what was legal", () => {
    const memory = new ReplayBuffer({ max_size: 8 });
    memory.add(STEP);
    const others = {
      observation_space: new Agents({
        left_0: new Box({ low: 0, high: 1, shape: [2] }),
        up_0: new Discrete(2),
      }),
      action_space: new Agents({ left_0: new Discrete(3), up_0: new Discrete(2) }),
    };
    expect(() => memory.configure(others)).toThrow(
      "it holds 1 transitions of the agents left_0, right_0, and the environment has the agents left_0, up_0; call clear() first",
    );
    const one = {
      observation_space: new Box({ low: 0, high: 1, shape: [3] }),
      action_space: new Discrete(2),
    };
    expect(() => memory.configure(one)).toThrow("and the environment has a single agent");
    expect(() => memory.configure(masked)).toThrow("or with other action masks; call clear() first");
    memory.clear();
    memory.configure(masked);
    expect(() => new MultiStepReplayBuffer({ max_size: 8 }).configure(layout)).toThrow(
      "MultiStepReplayBuffer: found the spaces of several agents",
    );
  });
});
