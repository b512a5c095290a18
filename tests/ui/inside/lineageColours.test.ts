import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LINEAGE_COLOURS, LineageColours, lineageColours } from "../../../src/ui/series/lineageColours.ts";
import { anyDescent, descentOf, rowOf } from "./support/descents.ts";

describe("lineageColours", () => {
  it("passes a colour on to the member itself, else to its first child", () => {
    // 10 goes on and has a child; 11 ends and has two.
    const colours = lineageColours(
      descentOf([
        [
          [10, -1],
          [11, -1],
          [12, -1],
          [13, -1],
        ],
        [
          [10, 10],
          [20, 10],
          [21, 11],
          [22, 11],
        ],
      ]),
    );
    expect([10, 11, 12, 13].map((index) => colours.of(index))).toEqual([0, 1, 2, 3]);
    expect(colours.of(21)).toBe(1);
    // Colours that nobody has had yet come before those of the dead.
    expect([20, 22].map((index) => colours.of(index))).toEqual([4, 5]);
  });

  it("gives every member of a generation a colour of its own while there are enough", () => {
    fc.assert(
      fc.property(anyDescent({ population: { max: LINEAGE_COLOURS } }), (descent) => {
        const colours = lineageColours(descent);
        for (let row = 0; row < descent.generations; row += 1) {
          const seen = rowOf(descent, row).map(({ index }) => colours.of(index));
          expect(new Set(seen).size).toBe(descent.population);
        }
      }),
    );
  });

  it("uses no colour twice more than another in the first generation", () => {
    fc.assert(
      fc.property(anyDescent({ population: { max: 40 } }), (descent) => {
        const colours = lineageColours(descent);
        const uses = new Array<number>(LINEAGE_COLOURS).fill(0);
        for (const { index } of rowOf(descent, 0)) {
          const colour = colours.of(index);
          uses[colour] = (uses[colour] ?? 0) + 1;
        }
        expect(Math.max(...uses) - Math.min(...uses)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("lets one child of every parent that ends have the parent's colour", () => {
    fc.assert(
      fc.property(anyDescent({ population: { max: 12 } }), (descent) => {
        const colours = lineageColours(descent);
        for (let row = 1; row < descent.generations; row += 1) {
          const now = rowOf(descent, row);
          const ended = rowOf(descent, row - 1).filter(
            ({ index }) => !now.some((member) => member.index === index),
          );
          const heirs = ended.flatMap(({ index }) => now.find(({ parent }) => parent === index) ?? []);
          expect(heirs.map(({ index }) => colours.of(index))).toEqual(
            heirs.map(({ parent }) => colours.of(parent)),
          );
        }
      }),
    );
  });

  it("gives the same colours generation by generation as all at once", () => {
    fc.assert(
      fc.property(anyDescent({ population: { max: 12 } }), (descent) => {
        const all = lineageColours(descent);
        const grown = new LineageColours();
        for (let generations = 1; generations <= descent.generations; generations += 1)
          grown.catchUp({ ...descent, generations });
        for (const index of descent.index) expect(grown.of(index)).toBe(all.of(index));
      }),
    );
  });
});
