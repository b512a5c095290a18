/** Action masks of a single agent in replay buffers, and in what it learns from them. */
import { describe, expect, it } from "vitest";
import {
  DQN,
  MultiStepReplayBuffer,
  PrioritizedReplayBuffer,
  ReplayBuffer,
} from "../../../src/agents/classes.ts";
import { NetworkSection } from "../../../src/manifests/index.ts";
import { Box, Discrete } from "../../../src/rl/spaces.ts";
import { SMALL_NETWORK } from "../../rl/support/agents.ts";

const spaces = {
  observation_space: new Box({ low: -9, high: 9, shape: [2] }),
  action_space: new Discrete(3),
};
const transition = (i: number) => ({
  obs: [i, 1],
  action: i % 3,
  reward: i,
  next_obs: [i + 1, 1],
  done: false,
});
const masked = (i: number) => ({
  ...transition(i),
  action_mask: [1, 0, 1],
  next_action_mask: [false, true, true],
});

const configured = <Memory extends ReplayBuffer>(memory: Memory): Memory => {
  memory.configure(spaces);
  return memory;
};

describe("a replay buffer", () => {
  it.each([
    ["inferred", () => new ReplayBuffer({ max_size: 8 })],
    ["configured", () => configured(new ReplayBuffer({ max_size: 8 }))],
    ["prioritised", () => new PrioritizedReplayBuffer({ max_size: 8 })],
  ])("stores masks from the first one on; all choices were legal before (%s)", (_name, make) => {
    const memory = make();
    memory.add(transition(0));
    expect(memory.transitionsAt([0]).next_action_mask).toBeUndefined();
    memory.add(masked(1));
    memory.add(transition(2));
    const { obs, next_obs, action_mask, next_action_mask } = memory.transitionsAt([0, 1, 2]);
    expect([...obs, ...next_obs]).toEqual([0, 1, 1, 1, 2, 1, 1, 1, 2, 1, 3, 1]);
    expect([...(action_mask ?? [])]).toEqual([1, 1, 1, 1, 0, 1, 1, 1, 1]);
    expect([...(next_action_mask ?? [])]).toEqual([1, 1, 1, 0, 1, 1, 1, 1, 1]);
    const again = ReplayBuffer.fromArrays(memory.toArrays());
    again.configure(spaces, 2);
    expect(again.masked).toBe(true);
    expect(again.transitionsAt([4]).next_action_mask).toEqual(Float32Array.of(1, 1, 1));
  });

  it("returns the mask of the state after several steps", () => {
    const memory = new MultiStepReplayBuffer({ max_size: 8, n_step: 2 });
    memory.add(transition(0));
    for (let i = 1; i < 4; i++) memory.add({ ...masked(i), next_action_mask: [0, i % 2, 1] });
    const { next_obs, action_mask, next_action_mask } = memory.transitionsAt([0, 1, 2]);
    expect([...next_obs]).toEqual([2, 1, 3, 1, 4, 1]);
    expect([...(action_mask ?? [])]).toEqual([1, 1, 1, 1, 0, 1, 1, 0, 1]);
    expect([...(next_action_mask ?? [])]).toEqual([0, 1, 1, 0, 0, 1, 0, 1, 1]);
  });

  it("needs a legal choice, except where the task ended", () => {
    const memory = new ReplayBuffer({ max_size: 8 });
    const none = { ...transition(0), next_action_mask: [0, 0, 0] };
    expect(() => memory.add(none)).toThrow(
      "experiences.next_action_mask: transition 0: found no legal choice, allowed one or more",
    );
    expect(() => memory.add({ ...masked(0), action_mask: [1, 2, 0] })).toThrow(
      "experiences.action_mask: transition 0: found 2, allowed 0 or false, 1 or true",
    );
    memory.add({ ...none, done: true });
    expect(memory.transitionsAt([0]).next_action_mask).toEqual(Float32Array.of(1, 1, 1));
    expect(() => memory.add({ ...transition(0), action_mask: [1] })).toThrow(
      "experiences.action_mask: found 1 numbers, allowed 3 numbers (1 transitions of 3 choices)",
    );
    const box = new ReplayBuffer({ max_size: 8 });
    box.configure({ ...spaces, action_space: new Box({ low: -1, high: 1, shape: [1] }) });
    expect(() => box.add(masked(0))).toThrow("allowed only for actions that are choices");
  });
});

it.each([0, 1, 2])("an agent learns the value of the best legal action: only %i", (action) => {
  const next_action_mask = [0, 1, 2].map((choice) => choice === action);
  const loss = (done: boolean) =>
    new DQN({ ...spaces, net_config: NetworkSection.parse(SMALL_NETWORK), gamma: 0.5, seed: 3 }).learn({
      ...{ obs: [4, -3], action, reward: 0, next_obs: [4, -3], done },
      next_action_mask,
    });
  // With the same state before and after, and no reward, half of the action's value is the target.
  expect(loss(false) / loss(true)).toBeCloseTo(0.25, 4);
});
