import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { likeliestShare } from "../../../../src/llm/sampling/likeliestShare.ts";
import { SamplingSettings } from "../../../../src/llm/sampling/SamplingSettings.ts";
import { decay, sampleToken, samplingWorkspace } from "../../../../src/llm/sampling/sampleToken.ts";
import { topIds } from "../../../../src/llm/sampling/topIds.ts";

/** Enough tokens for several selections; whole numbers, so that many are equal, and some that are excluded. */
const rows = fc
  .tuple(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(3, 40, 1e6), fc.nat(1e6))
  .map(([length, values, seed]) => {
    let state = seed;
    return Float32Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const value = Math.floor((state / 2 ** 32) * values);
      return value === 1 ? -Infinity : (value * 20) / values;
    });
  });

const sorted = (scores: Float32Array): number[] =>
  [...scores.keys()]
    .filter((id) => scores[id] !== -Infinity)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
const ascending = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);

describe("a selection of tokens", () => {
  it("takes those with the highest scores, and of equal ones the first", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 700 }), (scores, most) => {
        const found = topIds(scores, most, new Int32Array(scores.length));
        expect([...found]).toEqual(ascending(sorted(scores).slice(0, most)));
      }),
    );
  });

  it("takes as many as are left, and any number of ever higher scores", () => {
    const rising = Float32Array.from({ length: 5000 }, (_, id) => id);
    expect([...topIds(rising, 3, new Int32Array(5000))]).toEqual([4997, 4998, 4999]);
    const few = new Float32Array(5000).fill(-Infinity).fill(1, 4000, 4002);
    expect([...topIds(few, 3, new Int32Array(5000))]).toEqual([4000, 4001]);
  });

  it("takes as few as add up to a share", () => {
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(0.01, 1, 9),
        fc.double({ min: 0.001, max: 0.999 }),
        (row, scale, share) => {
          const order = sorted(row);
          fc.pre(order.length > 0);
          const highest = row[order[0] ?? 0] ?? 0;
          const weights = Float64Array.from(row, (score) => decay((score - highest) * scale));
          const target = share * order.reduce((sum, id) => sum + (weights[id] ?? 0), 0);
          const ids = Int32Array.from(ascending(order));
          const workspace = samplingWorkspace(row.length);
          const found = [...likeliestShare(ids, { scores: row, weights, highest, scale }, target, workspace)];
          expect(found).toEqual(ascending(order.slice(0, found.length)));
          const sumOf = (count: number) =>
            order.slice(0, count).reduce((sum, id) => sum + (weights[id] ?? 0), 0);
          // Sums in another order differ in their last bits.
          expect(sumOf(found.length)).toBeGreaterThan(target * (1 - 1e-12));
          expect(found.length === 1 ? 0 : sumOf(found.length - 1)).toBeLessThan(target * (1 + 1e-12));
        },
      ),
    );
  });

  it("gives the same bits with rules that change nothing, for which the row is copied", () => {
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom({}, { top_k: 9 }, { top_p: 0.3141593 }),
        fc.nat(999),
        (row, input, position) => {
          const logits = row.map((logit) => Math.max(logit, -5));
          const settings = SamplingSettings.parse({ temperature: 0.9, ...input });
          const place = { seed: 3, slot: 0, iteration: 0, trajectory: 0, position };
          const [plain, copied] = [null, new Uint8Array(logits.length).fill(1)].map((allowed) =>
            sampleToken(
              logits,
              settings,
              { seen: [], generated: 0, place, allowed },
              samplingWorkspace(logits.length),
            ),
          );
          expect(copied).toEqual(plain);
        },
      ),
    );
  });
});
