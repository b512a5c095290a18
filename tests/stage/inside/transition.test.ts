/** A generation's end, moment by moment. */
import { describe, expect, it } from "vitest";
import { type Change, durationOf, isVisible, momentAt } from "../../../src/stage/Transition.ts";
import { tileGrid } from "../../../src/stage/tileGrid.ts";

const grid = tileGrid(3, 320, 80, 0);
const [first, second, third] = [0, 1, 2].map((at) => grid.place(at)) as [
  ReturnType<typeof grid.place>,
  ReturnType<typeof grid.place>,
  ReturnType<typeof grid.place>,
]; // as many as the numbers

/** The last is the best and has two copies; the middle one keeps its rank; the first falls. */
const change: Change = {
  leavers: [
    { place: first, seat: third, stays: false },
    { place: second, seat: second, stays: true },
    { place: third, seat: first, stays: true },
  ],
  arrivals: [
    { place: first, from: 2, note: "lr × 1.2" },
    { place: second, from: 1, note: null },
    { place: third, from: 2, note: "a neuron grows" },
  ],
  champion: 2,
};

const of = (t: number, place: typeof first) =>
  momentAt(change, t).strokes.filter(({ source }) => source === place);

describe("a generation's end", () => {
  it("takes 1.5 s and begins with the picture before", () => {
    expect(durationOf(change)).toBe(1500);
    const { strokes, threads, words, champion } = momentAt(change, 0);
    expect(strokes.map(({ source, target, opacity, grey }) => [source, target, opacity, grey])).toEqual(
      strokes.map(({ source }) => [source, source, 1, 0]),
    );
    expect([strokes.length, threads, words, champion]).toEqual([3, [], [], null]);
  });

  it("lets ranks settle, then frames the champion", () => {
    const [best] = of(0.32, third);
    expect(best?.target).toEqual(first);
    expect(momentAt(change, 0.32).champion).toEqual(first);
  });

  it("lets who has no heirs pale, fall and fade", () => {
    const [settled] = of(0.3, first);
    expect([settled?.target.x, settled?.opacity]).toEqual([third.x, 1]);
    expect(settled?.grey).toBeGreaterThan(0.5);
    const [falling] = of(0.5, first);
    expect(falling?.target.y).toBeGreaterThan(third.y + 10);
    expect(falling?.opacity).toBeLessThan(0.5);
    expect(of(0.6, first)[0]?.opacity).toBe(0);
    expect(of(1, second)[0]).toMatchObject({ target: second, opacity: 1, grey: 0 });
  });

  it("splits a winner: one keeps its seat, and a thread leads to its copy", () => {
    expect(of(0.65, third)).toMatchObject([{ target: first }]);
    const { threads, copies } = momentAt(change, 0.65);
    const [thread] = threads;
    expect(thread?.from).toEqual(first);
    expect(copies).toMatchObject([{ source: third, target: thread?.to }]);
    expect(thread?.to.x).toBeGreaterThan(first.x);
    expect(thread?.to.x).toBeLessThan(third.x);
    expect(momentAt(change, 1).threads[0]?.to).toEqual(third);
  });

  it("writes the changed genes on the copies", () => {
    expect(momentAt(change, 0.6).words).toEqual([]);
    expect(momentAt(change, 0.8).words).toEqual([
      { place: first, text: "lr × 1.2", opacity: 1 },
      { place: third, text: "a neuron grows", opacity: 1 },
    ]);
  });
});

describe("another change", () => {
  it("only fades who leaves, in 400 ms", () => {
    const exchange: Change = {
      leavers: [
        { place: first, seat: first, stays: true },
        { place: second, seat: second, stays: false },
      ],
      arrivals: [
        { place: first, from: 0, note: null },
        { place: second, from: null, note: "lr × 2" },
      ],
      champion: null,
    };
    expect([isVisible(exchange), durationOf(exchange)]).toEqual([true, 400]);
    const { strokes, words, threads } = momentAt(exchange, 1);
    expect(strokes.map(({ target, grey }) => [target, grey])).toEqual([
      [first, 0],
      [second, 1],
    ]);
    expect([words, threads]).toEqual([[], []]);
  });

  it("is none where all stay where they are", () => {
    const still = { place: first, seat: first, stays: true };
    const arrivals = [{ place: first, from: 0, note: null }];
    expect(isVisible({ leavers: [still], arrivals, champion: 0 })).toBe(false);
  });
});
