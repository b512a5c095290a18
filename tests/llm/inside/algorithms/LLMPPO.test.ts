import { describe, expect, it } from "vitest";
import { LLMPPO } from "../../../../src/llm/algorithms/LLMPPO.ts";
import type { LLMPPOSpec } from "../../../../src/manifests/index.ts";
import { plainPpo } from "../../support/plainUnits.ts";
import { specOf } from "../../support/specs.ts";
import { rolloutBatch } from "../support/batches.ts";
import { gradientDifferences, lossDifferences } from "../support/lossDifferences.ts";
import { evaluateLoss } from "../support/lossProgram.ts";
import { rolloutPoint } from "../support/rolloutPoint.ts";

const several = { rows: 7, columns: 8, turns: 3, empty: [2] };
const single = { ...several, turns: 1 };
const filling = [5];
const counts = (row: number): boolean => !filling.includes(row);

const base = { beta: 0.1, gamma: 0.9, gae_lambda: 0.8 } as const;
const SPECS: readonly (readonly [name: string, spec: LLMPPOSpec])[] = [
  ["what is set by default", specOf("LLMPPO")],
  ["discounts and a penalty", specOf("LLMPPO", base)],
  ["advantages of tokens", specOf("LLMPPO", { ...base, advantage_granularity: "token" })],
  ["advantages of turns", specOf("LLMPPO", { ...base, advantage_granularity: "turn" })],
  ["ratios of tokens by turn_level_clip", specOf("LLMPPO", { ...base, turn_level_clip: false })],
  ["ratios of tokens", specOf("LLMPPO", { ...base, importance_sampling_level: "token" })],
  ["ratios of turns", specOf("LLMPPO", { ...base, importance_sampling_level: "turn" })],
  ["ratios of trajectories", specOf("LLMPPO", { ...base, importance_sampling_level: "trajectory" })],
  ["mean log-ratios", specOf("LLMPPO", { ...base, turn_ratio_pooling: "mean" })],
  ["mean values", specOf("LLMPPO", { ...base, turn_value_reduction: "mean" })],
  ["advantages as they are", specOf("LLMPPO", { ...base, whiten_advantages: false })],
  ["the penalty k3", specOf("LLMPPO", { ...base, kl_estimator: "k3" })],
  ["other coefficients", specOf("LLMPPO", { ...base, clip_coef: 0.3, vf_coef: 0.9 })],
];

describe("the loss of LLMPPO", () => {
  it.each(SPECS)("with %s is that of the plain form, in several turns and in one", async (_, spec) => {
    for (const shape of [several, single]) {
      const { point, sequences } = rolloutPoint(LLMPPO, spec, shape, filling);
      const expected = { ...plainPpo(sequences, spec, counts) };
      expect(lossDifferences(await evaluateLoss(LLMPPO, spec, point), expected)).toEqual([]);
    }
  });

  it("is the same where sizes are numbers", async () => {
    const spec = specOf("LLMPPO", base);
    const { point } = rolloutPoint(LLMPPO, spec, several, filling);
    expect(await evaluateLoss(LLMPPO, spec, point, { fixed: true })).toEqual(
      await evaluateLoss(LLMPPO, spec, point),
    );
  });

  it.each(SPECS)("with %s has its own slopes", async (_, spec) => {
    for (const turns of [2, 1]) {
      const { point } = rolloutPoint(LLMPPO, spec, { rows: 6, columns: 5, turns, empty: [3], seed: 3 }, [1]);
      expect(await gradientDifferences(LLMPPO, spec, point)).toEqual([]);
    }
  });

  it("is another with each option", async () => {
    const losses = await Promise.all(
      SPECS.map(async ([, spec]) => {
        const { point } = rolloutPoint(LLMPPO, spec, several, filling);
        return (await evaluateLoss(LLMPPO, spec, point)).loss;
      }),
    );
    // In several turns auto means turns, for advantages and ratios; without turn_level_clip ratios are tokens'.
    expect(new Set(losses).size).toBe(losses.length - 3);
  });
});

it("covers tokens where every trajectory has one turn, else turns, whatever one micro-batch holds", () => {
  const spec = specOf("LLMPPO", base);
  const by_turn = (turns: number) => LLMPPO.prepare(rolloutBatch({ ...several, turns }), spec).inputs.by_turn;
  expect(by_turn(1)).toEqual(new Float32Array(7));
  expect(by_turn(3)).toEqual(new Float32Array(7).fill(1));
});

it("asks for the values of the critic, by name", () => {
  const batch = { ...rolloutBatch(several), values: null };
  expect(() => LLMPPO.prepare(batch, specOf("LLMPPO"))).toThrow("LLMPPO: the batch has no values");
});
