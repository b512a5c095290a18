import { expect, it } from "vitest";
import { Agents, Box } from "../../../src/rl/spaces.ts";
import { OutlierWarnings } from "../../../src/training/rl/OutlierWarnings.ts";

it("names a number of an agent of a team once, and again when it has ten times as many", () => {
  const warnings = new OutlierWarnings(new Agents({ a: new Box({ low: 0, high: 1, shape: [2] }) }));
  const part = new Float32Array(2);
  const members = (count: number) => [
    {
      index: 4,
      normalization: {
        settings: {} as never,
        observations: { count: part, mean: part, variance: part, outliers: Float32Array.of(0, count) },
      },
    },
  ];
  expect(warnings.of(members(0))).toEqual([]);
  expect(warnings.of(members(1))).toEqual([
    expect.stringMatching(/^observation\.a\[1\] of agent 4: found an outlier/),
  ]);
  expect(warnings.of(members(9))).toEqual([]);
  expect(warnings.of(members(10))).toEqual([expect.stringContaining("found 10 outliers")]);
});
