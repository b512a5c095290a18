/** Advantages on the host: golden numbers of llm.md A1.10, and laws. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discountedReturns, generalisedAdvantages } from "../../../../src/llm/algorithms/advantages/gae.ts";
import {
  standardised,
  trajectoryAdvantages,
  turnAdvantages,
  whitened,
} from "../../../../src/llm/algorithms/advantages/groupAdvantages.ts";
import { onTokens, sequenceUnits } from "../../../../src/llm/algorithms/advantages/sequenceUnits.ts";
import type { RolloutBatch } from "../../../../src/llm/algorithms/contract.ts";
import { type BatchShape, rolloutBatch } from "../support/batches.ts";

/** One token in one turn of each sequence. */
const oneToken = (rewards: readonly number[]): RolloutBatch => ({
  ...rolloutBatch({ rows: rewards.length, columns: 1, turns: 1 }),
  action_mask: new Float32Array(rewards.length).fill(1),
  turn_ids: new Int32Array(rewards.length),
  rewards: Float32Array.from(rewards),
});

const OPTIONS = { group_size: 8, adv_norm: "mean_std", turn_advantage_trajectory_fallback: true } as const;

const assertClose = (found: readonly number[], expected: readonly number[]): void => {
  expect(found).toHaveLength(expected.length);
  found.forEach((value, i) => expect(value).toBeCloseTo(expected[i] ?? Number.NaN, 7));
};

describe("golden numbers", () => {
  it("of a group", () => {
    const { advantages } = trajectoryAdvantages(oneToken([1, 0, 0, 1, 0, 0, 0, 0]), OPTIONS);
    const [high, low] = [1.62018514, -0.54006171];
    assertClose(advantages.flat(), [high, low, low, high, low, low, low, low]);
  });

  it("of turns with values", () => {
    const units = [
      { reward: 0, value: 0.5 },
      { reward: 1, value: 0.2 },
    ];
    const { advantages, returns } = generalisedAdvantages(units, 0.9, 0.8);
    assertClose(advantages, [0.256, 0.8]);
    assertClose(returns, [0.756, 1]);
    assertClose(whitened([advantages]).flat(), [-0.70710676, 0.70710676]);
  });

  it("of returns", () => {
    const returns = [discountedReturns([0, 1], 0.9), discountedReturns([-1], 0.9)];
    assertClose(returns.flat(), [0.9, 1, -1]);
    assertClose(standardised(returns).flat(), [0.5324139, 0.62114955, -1.15356345]);
  });
});

it.each([[[]], [[[]]], [[[3]]], [[[3], []]]])("of %j nothing is divided by zero", (rows) => {
  const zeros = rows.map((row) => row.map(() => 0));
  expect(whitened(rows)).toEqual(zeros);
  expect(standardised(rows)).toEqual(zeros);
});

const shapes: fc.Arbitrary<BatchShape & { readonly group_size: number }> = fc
  .record({
    group_size: fc.integer({ min: 1, max: 4 }),
    groups: fc.integer({ min: 1, max: 3 }),
    columns: fc.integer({ min: 1, max: 9 }),
    turns: fc.integer({ min: 1, max: 4 }),
    empty: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { maxLength: 3 }),
    seed: fc.integer({ min: 1, max: 10_000 }),
  })
  .map(({ groups, ...rest }) => ({ ...rest, rows: groups * rest.group_size }));

const norms = fc.constantFrom("mean_only" as const, "mean_std" as const);

/** A batch with one row after another, as `order` says. */
function reordered(batch: RolloutBatch, order: readonly number[]): RolloutBatch {
  const rowsOf = <A extends Float32Array | Int32Array>(array: A, width: number): A => {
    const result = array.slice() as A;
    order.forEach((from, to) => {
      result.set(array.subarray(from * width, (from + 1) * width), to * width);
    });
    return result;
  };
  return {
    ...batch,
    action_mask: rowsOf(batch.action_mask, batch.columns),
    turn_ids: rowsOf(batch.turn_ids, batch.columns),
    rewards: rowsOf(batch.rewards, batch.turns),
  };
}

describe("laws of groups", () => {
  it("a group's advantages sum to zero, by trajectory and at each turn that several reach", () => {
    fc.assert(
      fc.property(shapes, norms, (shape, adv_norm) => {
        const { group_size } = shape;
        const batch = rolloutBatch(shape);
        const options = { group_size, adv_norm, turn_advantage_trajectory_fallback: false };
        const byTrajectory = trajectoryAdvantages(batch, options).advantages;
        const byTurn = turnAdvantages(batch, options);
        for (let first = 0; first < shape.rows; first += group_size) {
          const group = <T>(rows: readonly T[]): T[] => rows.slice(first, first + group_size);
          const whole = group(byTrajectory).flat();
          expect(whole.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 6);
          for (let turn = 0; turn < shape.turns; turn++) {
            const own = group(byTurn.units).flatMap((units, i) =>
              units.flatMap((unit, k) =>
                unit.turn === turn ? [group(byTurn.advantages)[i]?.[k] ?? Number.NaN] : [],
              ),
            );
            expect(own.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 6);
          }
        }
      }),
    );
  });

  it("groups do not see one another, nor the order of their members", () => {
    fc.assert(
      fc.property(shapes, norms, fc.boolean(), (shape, adv_norm, fallback) => {
        const { group_size, rows } = shape;
        const batch = rolloutBatch(shape);
        const options = { group_size, adv_norm, turn_advantage_trajectory_fallback: fallback };
        // Groups from last to first, and in each of them the members from last to first.
        const order = Array.from({ length: rows }, (_, row) => rows - 1 - row);
        for (const of of [trajectoryAdvantages, turnAdvantages]) {
          const there = of(reordered(batch, order), options).advantages;
          of(batch, options).advantages.forEach((own, row) => {
            own.forEach((a, i) => expect(there[rows - 1 - row]?.[i]).toBeCloseTo(a, 6));
          });
        }
      }),
    );
  });

  it("equal rewards have advantages of exactly zero, whatever they are", () => {
    fc.assert(
      fc.property(
        fc.float({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 1, max: 12 }),
        (reward, n) => {
          const batch = oneToken(Array.from({ length: n }, () => reward));
          const { advantages } = trajectoryAdvantages(batch, { ...OPTIONS, group_size: n });
          expect(advantages.flat().every((a) => a === 0)).toBe(true);
        },
      ),
    );
  });

  it("one bonus for a whole group changes nothing", () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: -8, max: 8 }), (shape, bonus) => {
        const batch = rolloutBatch({ ...shape, turns: 1 });
        const raised = { ...batch, rewards: batch.rewards.map((r) => r + bonus) };
        const options = { ...OPTIONS, group_size: shape.group_size };
        const there = trajectoryAdvantages(raised, options).advantages.flat();
        trajectoryAdvantages(batch, options)
          .advantages.flat()
          .forEach((a, i) => expect(there[i]).toBeCloseTo(a, 5));
      }),
    );
  });
});

describe("units of sequences", () => {
  it("have every generated token once, and all of the rewards", () => {
    fc.assert(
      fc.property(
        shapes,
        fc.constantFrom("token" as const, "turn" as const, "trajectory" as const),
        (shape, level) => {
          const batch = rolloutBatch(shape);
          const units = sequenceUnits(batch, level);
          const ones = units.map((own) => own.map(() => 1));
          expect(onTokens(batch, units, ones)).toEqual(batch.action_mask);
          const columns = units.flatMap((own) => own.flatMap((unit) => unit.columns));
          expect(columns).toHaveLength(batch.action_mask.reduce((a, b) => a + b, 0));
          const rewards = units.flat().reduce((sum, { reward }) => sum + reward, 0);
          expect(rewards).toBeCloseTo(
            batch.rewards.reduce((a, b) => a + b, 0),
            6,
          );
        },
      ),
    );
  });

  it("of tokens have a turn's reward on its last token alone", () => {
    const batch: RolloutBatch = {
      ...rolloutBatch({ rows: 1, columns: 5, turns: 2 }),
      action_mask: Float32Array.of(1, 1, 0, 1, 1),
      turn_ids: Int32Array.of(0, 0, -1, 1, 1),
      rewards: Float32Array.of(2, 3),
    };
    expect(sequenceUnits(batch, "token")[0]?.map(({ reward }) => reward)).toEqual([0, 2, 0, 3]);
  });

  it("name a token outside of the turns", () => {
    const batch = { ...oneToken([1, 1]), turn_ids: Int32Array.of(0, 4) };
    expect(() => sequenceUnits(batch, "turn")).toThrow(
      "turn_ids[1][0]: found 4 where action_mask is 1, allowed 0 to 0",
    );
  });
});
