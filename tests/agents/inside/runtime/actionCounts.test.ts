import { describe, expect, it } from "vitest";
import { actionCounts } from "../../../../src/agents/runtime/turnResult.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";
import { LocalTrainer, type TrainingEvent } from "../../../../src/training/index.ts";
import { dqn, ippo, maddpg, ppo, rainbow, sac, td3 } from "../../../training/support/tiny.ts";

const agent = (algorithm: string) => ({ algorithm, networks: {} });
/** A turn that wrote these actions to the replay buffer. */
const left = (...actions: number[]) => ({ written: { rows: { action: Int32Array.from(actions) } } });

describe("counts of actions", () => {
  it("are of the actions that a turn left in the memory", () => {
    const chosen = left(2, 4, 4, 3, 4);
    expect(actionCounts(agent("DQN"), new Discrete(4, { start: 2 }), chosen)).toEqual([1, 1, 3, 0]);
    expect(actionCounts(agent("RainbowDQN"), new Discrete(4, { start: 2 }), chosen)).toEqual([1, 1, 3, 0]);
  });

  it("are none of algorithms that report none, nor without a memory", () => {
    expect(actionCounts(agent("DDPG"), new Box({ low: -1, high: 1, shape: [1] }), left(0))).toBeUndefined();
    expect(actionCounts(agent("PPO"), new Discrete(2), null)).toBeUndefined();
  });

  it.each([
    ["DQN", dqn(), true],
    ["RainbowDQN", rainbow(), true],
    ["TD3", td3(), false],
    ["SAC", sac(), false],
    ["PPO", ppo(), false],
    ["MADDPG", maddpg(), false],
    ["IPPO", ippo(), false],
  ])("are in reports of DQN and RainbowDQN alone: %s", async (_, options, counts) => {
    const told: TrainingEvent[] = [];
    await new LocalTrainer(options).train({
      verbose: false,
      observer: { on: (event) => void told.push(event) },
    });
    const members = told.flatMap((event) => (event.event === "generation" ? event.members : []));
    expect(members.length).toBeGreaterThan(0);
    for (const { histograms } of members)
      expect(Object.keys(histograms ?? {})).toEqual(counts ? ["action_dist"] : []);
  });
});
