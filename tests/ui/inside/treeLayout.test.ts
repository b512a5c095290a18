import { describe, expect, it } from "vitest";
import { lineageFate, lineageGraph } from "../../../src/ui/pages/run/descent/LineageGraph.ts";
import { acrossOf } from "../../../src/ui/pages/run/lineage/across.ts";
import { besideAt, laneOfFitness, placesOf } from "../../../src/ui/pages/run/lineage/treeLayout.ts";
import { descentOf } from "./support/descents.ts";

/** Two members; the second dies, and the first has a clone. */
const graph = lineageGraph(
  descentOf([
    [
      [0, -1],
      [1, -1],
    ],
    [
      [0, -1],
      [2, 0],
    ],
    [
      [0, -1],
      [2, 0],
    ],
  ]),
);
const columns = {
  population: 2,
  generations: 3,
  generation: Float64Array.of(1, 2, 3),
  global_step: Float64Array.of(100, 150, 300),
  seconds: Float64Array.of(1, 1, 7),
  fitness: Float64Array.of(0, 20, 10, -5, Number.NaN, Number.NaN),
};
const scale = { low: 0, high: 10 };

describe("places by fitness", () => {
  const places = placesOf("fitness", "generation", graph, columns, scale);

  it("go from the best at the top to the worst at the bottom, and no further", () => {
    expect(places.of(1)).toBe(0);
    expect(places.of(0)).toBe(places.lanes - 1);
    expect(places.of(2)).toBe((places.lanes - 1) / 2);
    expect(places.of(3)).toBe(places.lanes - 1);
    expect(places.range).toEqual({ low: 0, high: 20 });
    expect(laneOfFitness({ low: 0, high: 20 }, 10)).toBe(places.of(2));
  });

  it("keep agents that were not evaluated where their ancestor was", () => {
    expect([places.of(4), places.of(5)]).toEqual([places.of(2), places.of(3)]);
  });

  it("are walked from top to bottom", () => {
    expect(besideAt(graph, places, 0, -1)).toBe(1);
    expect(besideAt(graph, places, 0, 1)).toBe(0);
  });
});

it("counts heirs in the generation that is looked at", () => {
  expect([...lineageFate(graph, columns, 2).heirs]).toEqual([2, 0, 1, 1, 1, 1]);
  expect([...lineageFate(graph, columns, 0).heirs]).toEqual([1, 1, 0, 0, 0, 0]);
});

describe("places across", () => {
  const rows = [0, 1, 2];

  it("are those of generations, or as far apart as their steps and times", () => {
    expect(rows.map(acrossOf(columns, "generation").of)).toEqual([0, 1, 2]);
    expect(rows.map(acrossOf(columns, "steps").of)).toEqual([0, 0.5, 2]);
    expect(rows.map(acrossOf(columns, "time").of)).toEqual([0, 0.25, 2]);
    const still = { ...columns, global_step: Float64Array.of(5, 5, 5) };
    expect(rows.map(acrossOf(still, "steps").of)).toEqual([0, 1, 2]);
  });

  it("lead back to the nearest generation, from beyond the ends too", () => {
    for (const axis of ["generation", "steps", "time"] as const) {
      const { of, rowNear } = acrossOf(columns, axis);
      expect(rows.map((row) => rowNear(of(row)))).toEqual(rows);
      expect([rowNear(-9), rowNear(9)]).toEqual([0, 2]);
    }
    expect(acrossOf(columns, "steps").rowNear(1.2)).toBe(1);
    expect(acrossOf({ ...columns, generations: 1 }, "time").rowNear(3)).toBe(0);
  });

  it("have round values at their ticks", () => {
    expect(acrossOf(columns, "generation").ticks(0, 2, 3)).toEqual([
      { place: 0, text: "1" },
      { place: 1, text: "2" },
      { place: 2, text: "3" },
    ]);
    expect(
      acrossOf(columns, "steps")
        .ticks(-1, 3, 5)
        .map(({ text }) => text),
    ).toEqual(["100", "200", "300"]);
    expect(acrossOf(columns, "steps").ticks(0, 2, 3)[1]?.place).toBeCloseTo(1, 9);
  });
});
