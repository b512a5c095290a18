import { describe, expect, it } from "vitest";
import { lineageFate, lineageGraph } from "../../../src/ui/pages/run/descent/LineageGraph.ts";
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
const columns = { population: 2, fitness: Float64Array.of(0, 20, 10, -5, Number.NaN, Number.NaN) };
const scale = { low: 0, high: 10 };

describe("places by fitness", () => {
  const places = placesOf("fitness", graph, columns, scale);

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
