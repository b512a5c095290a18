import { describe, expect, it } from "vitest";
import { LLMREINFORCE } from "../../../../src/llm/algorithms/LLMREINFORCE.ts";
import type { LLMREINFORCESpec } from "../../../../src/manifests/index.ts";
import { plainReinforce } from "../../support/plainUnits.ts";
import { specOf } from "../../support/specs.ts";
import { gradientDifferences, lossDifferences } from "../support/lossDifferences.ts";
import { evaluateLoss } from "../support/lossProgram.ts";
import { rolloutPoint } from "../support/rolloutPoint.ts";

const several = { rows: 7, columns: 8, turns: 3, empty: [2] };
const single = { ...several, turns: 1 };
const filling = [5];
const counts = (row: number): boolean => !filling.includes(row);

const base = { beta: 0.2, gamma: 0.9 } as const;
const SPECS: readonly (readonly [name: string, spec: LLMREINFORCESpec])[] = [
  ["what is set by default", specOf("LLMREINFORCE")],
  ["a discount and a penalty", specOf("LLMREINFORCE", base)],
  ["returns of tokens", specOf("LLMREINFORCE", { ...base, advantage_granularity: "token" })],
  ["returns of turns", specOf("LLMREINFORCE", { ...base, advantage_granularity: "turn" })],
  ["ratios of turns", specOf("LLMREINFORCE", { ...base, importance_sampling_level: "turn" })],
  ["ratios of trajectories", specOf("LLMREINFORCE", { ...base, importance_sampling_level: "trajectory" })],
  [
    "mean log-ratios of turns",
    specOf("LLMREINFORCE", { ...base, importance_sampling_level: "turn", turn_ratio_pooling: "mean" }),
  ],
  ["another bound", specOf("LLMREINFORCE", { ...base, clip_coef: 0.05 })],
];

describe("the loss of LLMREINFORCE", () => {
  it.each(SPECS)("with %s is that of the plain form, in several turns and in one", async (_, spec) => {
    for (const shape of [several, single]) {
      const { point, sequences } = rolloutPoint(LLMREINFORCE, spec, shape, filling);
      const expected = { ...plainReinforce(sequences, spec, counts) };
      expect(lossDifferences(await evaluateLoss(LLMREINFORCE, spec, point), expected)).toEqual([]);
    }
  });

  it.each(SPECS)("with %s has its own slopes", async (_, spec) => {
    const { point } = rolloutPoint(LLMREINFORCE, spec, { rows: 4, columns: 6, turns: 2, empty: [3] }, [1]);
    expect(await gradientDifferences(LLMREINFORCE, spec, point)).toEqual([]);
  });

  it("is another with each option", async () => {
    const losses = await Promise.all(
      SPECS.map(async ([, spec]) => {
        const { point } = rolloutPoint(LLMREINFORCE, spec, several, filling);
        return (await evaluateLoss(LLMREINFORCE, spec, point)).loss;
      }),
    );
    // In several turns auto means turns.
    expect(new Set(losses).size).toBe(losses.length - 1);
  });
});
