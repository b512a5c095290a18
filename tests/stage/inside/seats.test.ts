import { describe, expect, it } from "vitest";
import { nextSeats, originOf, rankSeats, seated } from "../../../src/stage/seats.ts";

const before = [
  { key: "a", fitness: 1 },
  { key: "b", fitness: 9 },
  { key: "c", fitness: null },
  { key: "d", fitness: 5 },
];

describe("seats", () => {
  it("are by fitness, the best first; equal ones and those without keep their order", () => {
    expect(rankSeats(before)).toEqual([2, 0, 3, 1]);
    const fitnesses = [Number.NaN, 2, Number.NEGATIVE_INFINITY, 2, null];
    expect(rankSeats(fitnesses.map((fitness) => ({ fitness })))).toEqual([2, 0, 3, 1, 4]);
  });

  it("give the champion the first seat among equals, and none that a better one has", () => {
    const crowned = (champion: number) =>
      rankSeats([1, 5, 5, 5].map((fitness, at) => ({ fitness, champion: at === champion })));
    expect(crowned(2)).toEqual([3, 1, 0, 2]);
    expect(crowned(0)).toEqual([3, 0, 1, 2]);
  });

  it("know the nearest ancestor that is seen", () => {
    expect(originOf({ key: "x", ancestors: ["y", "d", "a"] }, before)).toBe(3);
    expect(originOf({ key: "a", ancestors: ["d"] }, before)).toBe(0);
    expect(originOf({ key: "x", ancestors: [] }, before)).toBe(-1);
  });

  it("stay with the ranks of survivors and first heirs; other copies take the free ones", () => {
    const next = [
      { key: "e", ancestors: ["d"] },
      { key: "f", ancestors: ["b"] },
      { key: "b", ancestors: [] },
      { key: "g", ancestors: ["d"] },
    ];
    // b stays the best, e inherits d's rank; f, from b, comes before g, from d.
    expect(nextSeats(before, next)).toEqual([1, 2, 0, 3]);
    expect(seated(["e", "f", "b", "g"], nextSeats(before, next))).toEqual(["b", "e", "f", "g"]);
  });

  it("have room for everyone where a generation has another size, or nobody is known", () => {
    const unknown = Array.from({ length: 6 }, (_, at) => ({ key: `n${at}`, ancestors: [] }));
    expect(nextSeats(before, unknown)).toEqual([0, 1, 2, 3, 4, 5]);
    const few = [
      { key: "c", ancestors: [] },
      { key: "a", ancestors: [] },
    ];
    expect(new Set(nextSeats(before, few))).toEqual(new Set([0, 1]));
  });
});
