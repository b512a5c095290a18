import { describe, expect, it } from "vitest";
import { changedPixels } from "../../../src/stage/film/changedPixels.ts";
import { FilmCurve } from "../../../src/stage/film/FilmCurve.ts";

const PLACE = { x: 100, y: 10, width: 200, height: 50 };

const curve = (best: readonly number[], target: number | null = null): FilmCurve =>
  new FilmCurve({ label: "Best fitness", generation: best.map((_, at) => at + 1), best, target }, PLACE);

describe("the curve of a film", () => {
  it("spans its place with room above and below, and the target too", () => {
    const one = curve([0, 50, 100], 200);
    expect([one.x(1), one.x(2), one.x(3)]).toEqual([100, 200, 300]);
    expect(one.y(one.low)).toBe(60);
    expect(one.y(one.high)).toBe(10);
    expect(one.low).toBeLessThan(0);
    expect(one.high).toBeGreaterThan(200);
  });

  it("goes to a generation, and part of the way to the next", () => {
    const one = curve([0, 50, 100]);
    expect(one.upTo(1)).toEqual([{ x: 100, y: one.y(0) }]);
    expect(one.upTo(2)).toHaveLength(2);
    expect(one.upTo(2.5).at(-1)).toEqual({ x: 250, y: one.y(75) });
    expect(one.upTo(99)).toHaveLength(3);
  });

  it("leaves out generations without a fitness, and draws nothing without any", () => {
    const one = curve([Number.NaN, 10, Number.NaN, 30]);
    expect(one.upTo(1)).toEqual([]);
    expect(one.upTo(3).at(-1)).toEqual({ x: one.x(3), y: one.y(20) });
    expect(one.upTo(4)).toHaveLength(2);
    expect(curve([Number.NaN]).upTo(1)).toEqual([]);
    expect(curve([Number.NaN]).y(0)).toBe(60);
  });

  it("has a place for a run of one generation", () => {
    expect(curve([7]).upTo(1)).toEqual([{ x: 300, y: 35 }]);
  });
});

describe("the pictures of a GIF", () => {
  it("hold only what has changed", () => {
    const before = Uint32Array.of(1, 2, 3, 4);
    expect([...changedPixels(before, null)]).toEqual([0, 1, 2, 3]);
    expect([...changedPixels(Uint32Array.of(1, 9, 3, 8), before)]).toEqual([1, 3]);
    expect([...changedPixels(before, before)]).toEqual([]);
  });
});
