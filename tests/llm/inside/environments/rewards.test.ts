/** What counts as a reward, and what is said of anything else. */
import { expect, it } from "vitest";
import { type RewardFault, RewardTally, readScore } from "../../../../src/llm/environments/rewards.ts";

const read = (value: unknown) => {
  const faults: RewardFault[] = [];
  return { ...readScore(value, "here", faults), faults };
};
const fault = (found: string, place = "here", counts = false) => ({ place, found, counts, count: 1 });

it.each([
  [2, { reward: 2 }],
  [
    { right: 1, short: 0.5 },
    { reward: 1.5, components: { right: 1, short: 0.5 } },
  ],
  [
    { right: 1, reward: 3 },
    { reward: 3, components: { right: 1 } },
  ],
  [true, { reward: 1, faults: [fault("true", "here", true)] }],
  [{ right: false }, { reward: 0, components: { right: 0 }, faults: [fault("false", "here: right", true)] }],
  ["1", { reward: Number.NaN, faults: [fault('"1"')] }],
  [undefined, { reward: Number.NaN, faults: [fault("nothing")] }],
  [null, { reward: Number.NaN, faults: [fault("null")] }],
  [-Infinity, { reward: Number.NaN, faults: [fault("-Infinity")] }],
  // It would be infinite as f32.
  [1e39, { reward: Number.NaN, faults: [fault("1e+39")] }],
  [[1], { reward: Number.NaN, faults: [fault("[1]")] }],
  // A missing part would lower the total in silence.
  [
    { right: 1, short: Number.NaN },
    { reward: Number.NaN, components: { right: 1 }, faults: [fault("NaN", "here: short")] },
  ],
  [
    { right: null, reward: 3 },
    { reward: Number.NaN, faults: [fault("null", "here: right")] },
  ],
  [
    { right: 1, reward: "3" },
    { reward: Number.NaN, components: { right: 1 }, faults: [fault('"3"', "here: reward")] },
  ],
])("%j", (value, due) => {
  expect(read(value)).toEqual({ components: {}, faults: [], ...due });
});

it("weighs components, each of which needs a weight, and leaves out those that are not there", () => {
  const weights = { right: 2, short: -0.5, polite: 1 };
  const weighed = (value: unknown) => {
    const faults: RewardFault[] = [];
    return { ...readScore(value, "here", faults, weights), faults };
  };
  const parts = { right: 1, short: 3 };
  expect(weighed({ ...parts, reward: 9 })).toEqual({ reward: 0.5, components: parts, faults: [] });
  expect(weighed({ right: true, short: Number.NaN })).toMatchObject({
    reward: Number.NaN,
    components: { right: 1 },
    faults: [fault("true", "here: right", true), fault("NaN", "here: short")],
  });
  expect(() => weighed({ ...parts, long: 1 })).toThrow(
    "reward_weights: found no weight of long, allowed rewards that are objects of right, short, polite",
  );
  expect(() => weighed(1)).toThrow("reward_weights: found the reward 1, allowed rewards that are objects of");
});

it("faults are counted by place, and told again when there are ten times as many", () => {
  const tally = new RewardTally();
  const [found] = read("1").faults as [RewardFault];
  const told = (count: number) =>
    `here: found "1" for a reward, allowed finite numbers; the sequences have no reward, and are left out of learning, of their groups and of fitness; ${count} so far`;
  expect(tally.add([found, { ...found, found: "NaN" }])).toEqual([told(2)]);
  expect(tally.add([{ ...found, count: 7 }])).toEqual([]);
  expect(tally.add([found, fault("true", "there", true)])).toEqual([
    told(10),
    "there: found true for a reward, allowed finite numbers; true counts as 1 and false as 0; 1 so far",
  ]);
  expect(tally.add([{ ...found, count: 89 }])).toEqual([]);
  expect(tally.add([{ ...found, count: 5000 }])).toEqual([told(5099)]);
  expect(tally.add([])).toEqual([]);
});
