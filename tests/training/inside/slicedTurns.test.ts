/** The dispatches of turns that learn in slices, on programs that only write down what is asked of them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Together } from "../../../src/agents/members.ts";
import { type SlicedPrograms, type SlicedTurn, SlicedTurns } from "../../../src/training/gpu/slicedTurns.ts";

/** Work of an iteration's start, of gradients and of a step. */
const UNITS = { start: 100, gradients: 30, step: 5 };

function started(turns: readonly SlicedTurn[]) {
  const log: string[] = [];
  const start: Partial<Together> = {
    units: UNITS.start,
    start: (runs) => void log.push(`start ${turns.map(({ slot }) => runs(slot)).join("")}`),
    advance: (units) => {
      log.push("part");
      return units;
    },
    finish: () => void log.push("finish"),
  };
  const whole = (name: "gradients" | "step"): Partial<Together> => ({
    units: UNITS[name],
    run: () => void log.push(name),
  });
  // Only what turns in slices call is there.
  const programs = { start, gradients: whole("gradients"), step: whole("step") } as SlicedPrograms;
  const asked: number[] = [];
  const ask = async (iterations: number) => {
    asked.push(iterations);
    return new Map();
  };
  return { work: new SlicedTurns(turns, programs, ask), log, asked };
}

const TURNS: readonly SlicedTurn[] = [
  { slot: 0, iterations: 2, batches: 1 },
  { slot: 1, iterations: 3, batches: 2 },
  { slot: 4, iterations: 1, batches: 3 },
];

const learn = (batches: number): string[] => Array(batches).fill(["gradients", "step"]).flat();
/** Each iteration has as many batches as the member with most of them that still has iterations. */
const WHOLE = [
  ...["start 111", "finish", ...learn(3)],
  ...["start 110", "finish", ...learn(2)],
  ...["start 010", "finish", ...learn(2)],
];

describe("turns in slices", () => {
  it("dispatch a start and a pair for every batch, iteration by iteration", () => {
    const { work, log } = started(TURNS);
    expect(work.advance(1e9)).toBe(3 * UNITS.start + 7 * (UNITS.gradients + UNITS.step));
    expect(log).toEqual(WHOLE);
    expect(work.advance(1e9)).toBe(0);
    expect(log).toEqual(WHOLE);
  });

  it("do the same in chunks of any size, which only cut starts", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }), (sizes) => {
        const { work, log } = started(TURNS);
        let total = 0;
        for (let i = 0; ; i++) {
          const units = sizes[i % sizes.length] as number;
          const queued = work.advance(units);
          if (queued === 0) break;
          expect(queued).toBeLessThan(units + UNITS.gradients + UNITS.step);
          total += queued;
        }
        expect(total).toBe(3 * UNITS.start + 7 * (UNITS.gradients + UNITS.step));
        expect(log.filter((entry) => entry !== "part")).toEqual(WHOLE);
      }),
    );
  });

  it("ask how far they are by the iterations that are queued to their end", async () => {
    const { work, asked } = started(TURNS);
    const iteration = UNITS.start + 3 * (UNITS.gradients + UNITS.step);
    for (const units of [0, iteration - 1, 1, 1e9]) {
      if (units > 0) work.advance(units);
      await work.progress();
    }
    expect(asked).toEqual([0, 1, 1, 3]);
  });
});
