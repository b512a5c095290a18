import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  deliveredAsOf,
  LineageGraph,
  lineageFate,
  lineageGraph,
} from "../../../src/ui/pages/run/descent/LineageGraph.ts";
import * as viewport from "../../../src/ui/pages/run/lineage/viewport.ts";
import { anyDescent, descentOf } from "./support/descents.ts";

const cellsOf = (graph: LineageGraph, row: number): number[] =>
  Array.from({ length: graph.population }, (_, slot) => row * graph.population + slot);

const rowsFrom = (first: number, { generations }: LineageGraph): number[] =>
  Array.from({ length: Math.max(0, generations - first) }, (_, row) => first + row);

const descents = anyDescent({ population: { max: 14 } });

describe("LineageGraph", () => {
  it("links a member to itself where it went on, else to the one it was cloned from", () => {
    const graph = lineageGraph(
      descentOf([
        [
          [0, -1],
          [1, -1],
        ],
        // 1 goes on, though 0 is named as its parent of old; 2 is a clone of it.
        [
          [2, 1],
          [1, 0],
        ],
        [
          [7, 5],
          [2, 1],
        ],
      ]),
    );
    expect(graph.before(0)).toBe(-1);
    expect([graph.before(2), graph.before(3)]).toEqual([1, 1]);
    // 5 is unknown: its log was lost.
    expect([graph.before(4), graph.before(5)]).toEqual([-1, 2]);
  });

  it("gives each member of a generation a lane of its own", () => {
    fc.assert(
      fc.property(descents, (descent) => {
        const graph = lineageGraph(descent);
        for (const row of rowsFrom(0, graph)) {
          const lanes = cellsOf(graph, row).map((cell) => graph.lane(cell));
          expect([...lanes].sort((a, b) => a - b)).toEqual(lanes.map((_, lane) => lane));
          expect(cellsOf(graph, row).map((cell) => graph.cellAt(row, graph.lane(cell)))).toEqual(
            cellsOf(graph, row),
          );
        }
      }),
    );
  });

  it("crosses no lines", () => {
    fc.assert(
      fc.property(descents, (descent) => {
        const graph = lineageGraph(descent);
        for (const row of rowsFrom(1, graph)) {
          const ends = cellsOf(graph, row).toSorted((a, b) => graph.lane(a) - graph.lane(b));
          const starts = ends.map((cell) => graph.lane(graph.before(cell)));
          expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it("leaves what is drawn where it is as generations are added", () => {
    fc.assert(
      fc.property(descents, (descent) => {
        const all = lineageGraph(descent);
        const grown = new LineageGraph();
        for (let generations = 1; generations <= descent.generations; generations += 1)
          grown.catchUp({ ...descent, generations });
        for (const row of rowsFrom(0, all)) {
          for (const cell of cellsOf(all, row))
            expect([grown.lane(cell), grown.before(cell)]).toEqual([all.lane(cell), all.before(cell)]);
        }
      }),
    );
  });
});

describe("lineageFate", () => {
  const graph = lineageGraph(
    descentOf([
      [
        [0, -1],
        [1, -1],
        [2, -1],
      ],
      [
        [0, 0],
        [3, 0],
        [4, 1],
      ],
      [
        [3, 0],
        [5, 3],
        [6, 0],
      ],
    ]),
  );
  const columns = { population: 3, fitness: Float64Array.of(5, 1, 2, 6, 7, 8, 1, 9, Number.NaN) };

  it("knows whose line goes on, and whom the elite descends from", () => {
    const { survives, elite } = lineageFate(graph, columns, 2);
    expect([...survives]).toEqual([1, 0, 0, 1, 1, 0, 1, 1, 1]);
    expect([...elite]).toEqual([0, 4, 7]);
  });

  it("is seen from any generation", () => {
    const { survives, elite } = lineageFate(graph, columns, 1);
    expect([...survives]).toEqual([1, 1, 0, 1, 1, 1, 0, 0, 0]);
    expect([...elite]).toEqual([1, 5, -1]);
  });

  it("takes the elite of the last evaluation where a generation had none", () => {
    const unevaluated = { ...columns, fitness: columns.fitness.slice().fill(Number.NaN, 6) };
    expect([...lineageFate(graph, unevaluated, 2).elite]).toEqual([1, 5, -1]);
    const never = { ...columns, fitness: new Float64Array(9).fill(Number.NaN) };
    expect([...lineageFate(graph, never, 2).elite]).toEqual([-1, -1, -1]);
  });

  it("follows the champion of a final evaluation at the newest generation, and only there", () => {
    const all = { ...columns, generations: 3, index: Int32Array.of(0, 1, 2, 0, 3, 4, 3, 5, 6) };
    expect(deliveredAsOf(all, 2, null)).toBe(7);
    expect(deliveredAsOf(all, 2, 6)).toBe(8);
    expect([...lineageFate(graph, all, 2, deliveredAsOf(all, 2, 6)).elite]).toEqual([0, 3, 8]);
    // It may have been replaced before the end.
    expect(deliveredAsOf(all, 2, 4)).toBe(5);
    expect([...lineageFate(graph, all, 2, deliveredAsOf(all, 2, 4)).elite]).toEqual([1, 5, -1]);
    expect(deliveredAsOf(all, 1, 6)).toBe(deliveredAsOf(all, 1, null));
    expect(deliveredAsOf(all, 2, 99)).toBe(7);
  });

  it("has a survivor in every generation, and an unbroken line of elites", () => {
    fc.assert(
      fc.property(descents, fc.nat(), (descent, seed) => {
        const any = lineageGraph(descent);
        const fitness = Float64Array.from(descent.index, (index) => (index * 7919 + seed) % 101);
        const row = any.generations - 1;
        const { survives, elite } = lineageFate(any, { ...descent, fitness }, row);
        for (const at of rowsFrom(0, any)) {
          expect(cellsOf(any, at).some((cell) => survives[cell] === 1)).toBe(true);
          expect(survives[elite[at] ?? -1]).toBe(1);
        }
        for (const at of rowsFrom(1, any)) expect(any.before(elite[at] ?? -1)).toBe(elite[at - 1]);
      }),
    );
  });
});

describe("the viewport", () => {
  const stages = fc.record({
    width: fc.integer({ min: 200, max: 3000 }),
    height: fc.integer({ min: 160, max: 900 }),
    rows: fc.integer({ min: 1, max: 5000 }),
    lanes: fc.integer({ min: 1, max: 256 }),
  });
  const moves = fc.array(
    fc.record({
      factor: fc.double({ min: 0.2, max: 5, noNaN: true }),
      x: fc.integer({ min: -2000, max: 2000 }),
      y: fc.integer({ min: -500, max: 500 }),
    }),
    { maxLength: 8 },
  );

  it("shows the newest generation and all lanes to begin with", () => {
    fc.assert(
      fc.property(stages, (stage) => {
        const view = viewport.newest(stage);
        expect(viewport.screenX(view, stage.rows - 1)).toBeLessThanOrEqual(stage.width);
        expect(viewport.showsNewest(view, stage)).toBe(true);
        expect(viewport.screenY(view, 0)).toBeGreaterThanOrEqual(0);
        expect(viewport.screenY(view, stage.lanes - 1)).toBeLessThanOrEqual(stage.height);
      }),
    );
  });

  it("shows every generation when it shows the whole", () => {
    fc.assert(
      fc.property(stages, (stage) => {
        const view = viewport.whole(stage);
        expect(viewport.screenX(view, 0)).toBeGreaterThanOrEqual(0);
        expect(viewport.screenX(view, stage.rows - 1)).toBeLessThanOrEqual(stage.width);
      }),
    );
  });

  it("never loses the lineage from sight, however it is moved", () => {
    fc.assert(
      fc.property(stages, moves, (stage, steps) => {
        let view = viewport.whole(stage);
        for (const { factor, x, y } of steps)
          view = viewport.panned(viewport.zoomed(view, factor, x, y, stage), x, y, stage);
        const left = viewport.screenX(view, 0);
        const right = viewport.screenX(view, stage.rows - 1);
        expect(left).toBeLessThanOrEqual(viewport.MARGIN.left + 1e-6);
        expect(right).toBeGreaterThanOrEqual(
          Math.min(stage.width - viewport.MARGIN.right, left + (stage.rows - 1) * view.dx) - 1e-6,
        );
      }),
    );
  });

  it("keeps what is under the pointer there while it zooms", () => {
    const stage = { width: 800, height: 400, rows: 1000, lanes: 16 };
    const before = viewport.panned(viewport.newest(stage), 3000, 0, stage);
    const after = viewport.zoomed(before, 1.5, 300, 200, stage);
    expect(after.dx).toBeGreaterThan(before.dx);
    expect(viewport.rowAt(after, 300)).toBeCloseTo(viewport.rowAt(before, 300), 6);
  });

  it("brings an agent into sight", () => {
    const stage = { width: 800, height: 400, rows: 1000, lanes: 64 };
    const view = viewport.revealing(viewport.newest(stage), 10, 3, stage);
    expect(viewport.screenX(view, 10)).toBeGreaterThan(0);
    expect(viewport.screenX(view, 10)).toBeLessThan(800);
  });
});
