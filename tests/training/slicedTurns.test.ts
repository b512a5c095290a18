/** The dispatches of turns that learn in slices, on programs that only write down what is asked of them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WebGpuDevice } from "../../src/kernels/wgsl/device.ts";
import type { Together } from "../../src/rl/runtime/gpuMembers.ts";
import { type SlicedTurn, SlicedTurns } from "../../src/training/slicedTurns.ts";

/** Work of a roll-out, of gradients and of a step. */
const UNITS = { collect: 100, gradients: 30, step: 5 };

function started(turns: readonly SlicedTurn[]) {
  const log: string[] = [];
  const collect: Partial<Together> = {
    units: UNITS.collect,
    start: (runs) => void log.push(`collect ${turns.map(({ slot }) => runs(slot)).join("")}`),
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
  const device: Partial<WebGpuDevice> = { idle: async () => undefined };
  // Only what turns in slices call is there.
  const [programs, gpu] = [
    { collect, gradients: whole("gradients"), step: whole("step") } as Record<keyof typeof UNITS, Together>,
    device as WebGpuDevice,
  ];
  return { work: new SlicedTurns(gpu, turns, programs), log };
}

const TURNS: readonly SlicedTurn[] = [
  { slot: 0, iterations: 2, minibatches: 1 },
  { slot: 1, iterations: 3, minibatches: 2 },
  { slot: 4, iterations: 1, minibatches: 3 },
];

const learn = (minibatches: number): string[] => Array(minibatches).fill(["gradients", "step"]).flat();
/** Each iteration has as many minibatches as the member with most of them that still has iterations. */
const WHOLE = [
  ...["collect 111", "finish", ...learn(3)],
  ...["collect 110", "finish", ...learn(2)],
  ...["collect 010", "finish", ...learn(2)],
];

describe("turns in slices", () => {
  it("dispatch a roll-out and a pair for every minibatch, iteration by iteration", () => {
    const { work, log } = started(TURNS);
    expect(work.advance(1e9)).toBe(3 * UNITS.collect + 7 * (UNITS.gradients + UNITS.step));
    expect(log).toEqual(WHOLE);
    expect(work.advance(1e9)).toBe(0);
    expect(log).toEqual(WHOLE);
  });

  it("do the same in chunks of any size, which only cut roll-outs", () => {
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
        expect(total).toBe(3 * UNITS.collect + 7 * (UNITS.gradients + UNITS.step));
        expect(log.filter((entry) => entry !== "part")).toEqual(WHOLE);
      }),
    );
  });

  it("tell which iterations are done", async () => {
    const { work } = started(TURNS);
    const left = async () => [...(await work.progress()).values()].map(({ left }) => left);
    expect(await left()).toEqual([2, 3, 1]);
    work.advance(UNITS.collect + 3 * (UNITS.gradients + UNITS.step));
    expect(await left()).toEqual([1, 2, 0]);
    work.advance(1e9);
    expect(await left()).toEqual([0, 0, 0]);
  });
});
