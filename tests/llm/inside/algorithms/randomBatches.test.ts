/** Losses of rollouts against the plain forms, for batches of any shape. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { RolloutAlgorithm } from "../../../../src/llm/algorithms/contract.ts";
import { GRPO } from "../../../../src/llm/algorithms/GRPO.ts";
import { LLMPPO } from "../../../../src/llm/algorithms/LLMPPO.ts";
import { LLMREINFORCE } from "../../../../src/llm/algorithms/LLMREINFORCE.ts";
import { plainPpo, plainReinforce } from "../../support/plainUnits.ts";
import { specOf } from "../../support/specs.ts";
import { lossDifferences } from "../support/lossDifferences.ts";
import { evaluateLoss } from "../support/lossProgram.ts";
import { plainGroup } from "../support/plainGroup.ts";
import type { PlainSequence } from "../support/plainSequences.ts";
import { rolloutPoint } from "../support/rolloutPoint.ts";

/** Groups of two. */
const shapes = fc
  .record({
    groups: fc.integer({ min: 1, max: 5 }),
    columns: fc.integer({ min: 1, max: 20 }),
    turns: fc.integer({ min: 1, max: 5 }),
    empty: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
    seed: fc.integer({ min: 1, max: 100_000 }),
    filling: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
  })
  .map(({ groups, ...rest }) => ({ ...rest, rows: 2 * groups }));

type Plain = (
  sequences: readonly PlainSequence[],
  counts: (row: number) => boolean,
) => Readonly<Record<string, number>>;

async function assertPlain<S>(algorithm: RolloutAlgorithm<S>, spec: S, plain: Plain): Promise<void> {
  await fc.assert(
    fc.asyncProperty(shapes, async ({ filling, ...shape }) => {
      const { point, sequences } = rolloutPoint(algorithm, spec, shape, filling);
      const expected = plain(sequences, (row) => !filling.includes(row));
      expect(lossDifferences(await evaluateLoss(algorithm, spec, point), expected)).toEqual([]);
    }),
    { numRuns: 50 },
  );
}

it.each(["token", "turn", "trajectory"] as const)("GRPO with ratios of a %s", async (level) => {
  const spec = specOf("GRPO", { group_size: 2, beta: 0.1, importance_sampling_level: level });
  await assertPlain(GRPO, spec, (sequences, counts) => ({ ...plainGroup(sequences, spec, counts) }));
});

it("LLMPPO", async () => {
  const spec = specOf("LLMPPO", { beta: 0.1, gamma: 0.9, gae_lambda: 0.8 });
  await assertPlain(LLMPPO, spec, (sequences, counts) => ({ ...plainPpo(sequences, spec, counts) }));
});

it("LLMREINFORCE", async () => {
  const spec = specOf("LLMREINFORCE", { gamma: 0.9, importance_sampling_level: "turn" });
  await assertPlain(LLMREINFORCE, spec, (sequences, counts) => ({
    ...plainReinforce(sequences, spec, counts),
  }));
});
