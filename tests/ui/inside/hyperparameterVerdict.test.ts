import { expect, it } from "vitest";
import type { GainSummary } from "../../../src/tracking/history.ts";
import { hyperparameterVerdict } from "../../../src/ui/pages/run/hyperparameters/verdict.ts";

const gains = (gain: number, margin: number): GainSummary => ({
  gains: 9,
  gain,
  gain_error: margin / 2,
  gain_interval: [gain - margin, gain + margin],
});
const moves = (cuts: GainSummary, isDoubted = false) => ({ cuts, rises: gains(0, 5), isDoubted });

it("claims a gain only of moves that are told apart from none, and names the others", () => {
  const names = ["lr", "batch_size", "gamma", "tau"];
  expect(
    hyperparameterVerdict(names, {
      lr: moves(gains(8, 2)),
      batch_size: moves(gains(1, 4)),
      gamma: moves(gains(8, 2), true),
    }),
  ).toBe(
    "In this run cuts of lr gained +8.0 [+6.0, +10.0], n = 9. Not enough evidence that a move of batch_size and gamma gained or cost fitness.",
  );
  expect(hyperparameterVerdict(names, {})).toContain("has been evaluated beside unmutated members yet");
});
