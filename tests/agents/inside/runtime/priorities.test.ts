import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  forgetRows,
  noPriorities,
  offPolicyContents,
  prioritiesIn,
  type TurnPriorities,
  visiblePriorities,
} from "../../../../src/agents/members.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import { state, trace } from "../../../../src/kernels/index.ts";
import { counter } from "../../../../src/rl/contract.ts";
import { drawByPriority, gather, reprioritise, welcome } from "../../../../src/rl/programs.ts";
import { offPolicyOf } from "../../../rl/support/turns.ts";

describe("priorities between turns", () => {
  const ring = { position: 1, count: 3 };
  const view = {
    slot: 0,
    ring,
    visible: [
      { start: 0, length: 0 },
      { start: 2, length: 2 },
    ],
  };

  it("gives rows in sight that are new the largest priority, and rows out of sight none", () => {
    // Two segments of three rows. Rows 2 and 0 of the second are visible.
    const before = { leaves: Float32Array.of(0.5, 0, 0.25, 0.75, 9, 0), largest: 4 };
    const { leaves, largest } = visiblePriorities(before, 0.5, view, 3);
    expect([...leaves]).toEqual([0.5, 2, 0.25, 0.75, 0, 2]);
    expect(largest).toBe(4);
  });

  it("forgets the rows that others wrote, around their rings", () => {
    const before = { leaves: Float32Array.of(1, 2, 3, 4, 5, 6), largest: 1 };
    const { leaves } = forgetRows(before, [{ slot: 1, start: 2, count: 2 }], 3);
    expect([...leaves]).toEqual([1, 2, 3, 0, 5, 0]);
    expect([...before.leaves]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

/** Draws rows on the device, then updates them with new errors. */
function turn(priorities: TurnPriorities, segment: number, options: { beta: number; errors: number[] }) {
  const device = new WasmDevice();
  const batch = options.errors.length;
  const program = trace("per", () => {
    gather(counter("vector_step").read());
    const { drawn, weight } = drawByPriority(state("step", [], { dtype: "i32" }).read());
    state("out.index", drawn.index.shape, { dtype: "i32" }).write(drawn.index);
    state("out.owner", drawn.owner.shape, { dtype: "i32" }).write(drawn.owner);
    state("out.weight", weight.shape).write(weight);
    reprioritise(drawn.index, state("errors", drawn.index.shape).read());
    welcome(state("fresh", [1], { dtype: "i32" }).read());
  });
  const rows = priorities.leaves.length;
  let fan = 4;
  while (fan ** 3 < rows) fan += 4;
  const population = rows / segment;
  const arena = device.arena(program.states.values(), { batch, population, priority_fan: fan, num_envs: 1 });
  const off = offPolicyOf({
    priorities,
    ring: { position: 0, count: segment },
    visible: Array.from({ length: population }, () => ({ start: 0, length: segment })),
  });
  for (const [name, values] of offPolicyContents({ slot: 0, evo_steps: 8, num_envs: 1 }, segment, off))
    if (arena.has(name)) arena.write(name, values);
  arena.write("key.0", [17]);
  arena.write("key.1", [23]);
  arena.write("hp.beta", [options.beta]);
  arena.write("hp.prior_eps", [0.5]);
  arena.write("errors", options.errors);
  arena.write("fresh", [rows - 1]);
  const bound = device.compile(program).bind(arena);
  bound.run();
  const read = (name: string) => arena.read(name);
  const after = prioritiesIn(priorities, read);
  const out = {
    index: [...read("out.index")],
    owner: [...read("out.owner")],
    weight: [...read("out.weight")],
  };
  device.close();
  return { ...out, after };
}

describe("sampling by priority", () => {
  const base = { alpha: 0.5, progress: 0, progress_step: 0 };

  it("draws rows as often as their priorities say, and none of priority zero", () => {
    const leaves = Float32Array.of(1, 0, 3, 4, 0, 8);
    const { index, owner } = turn({ ...base, leaves, largest: 1 }, 3, {
      beta: 0.5,
      errors: new Array<number>(1600).fill(1),
    });
    const counts = [0, 0, 0, 0, 0, 0];
    for (const row of index) counts[row] = (counts[row] as number) + 1;
    // One draw from each of 1600 equal parts of 16: counts are exact except at parts on borders.
    for (const [row, leaf] of leaves.entries())
      expect(Math.abs((counts[row] as number) - 100 * leaf)).toBeLessThan(2);
    expect(owner.every((slot, i) => slot === Math.floor((index[i] as number) / 3))).toBe(true);
  });

  it("weighs by (p / least)^-beta, where beta grows to 1 over the run", () => {
    const leaves = Float32Array.of(1, 4, 16);
    for (const [progress, beta] of [
      [0, 0.5],
      [0.5, 0.75],
      [1, 1],
      [3, 1],
    ] as const) {
      const { index, weight } = turn({ ...base, leaves, largest: 1, progress }, 3, {
        beta: 0.5,
        errors: [1, 1, 1, 1],
      });
      index.forEach((row, i) => expect(weight[i]).toBeCloseTo((leaves[row] as number) ** -beta, 5));
    }
  });

  it("stores (error + prior_eps)^alpha, remembers the largest, and welcomes new rows with it", () => {
    fc.assert(
      fc.property(fc.float({ min: 0, max: 100, noNaN: true }), (error) => {
        const leaves = Float32Array.of(1, 0, 0, 0);
        const { after } = turn({ ...base, leaves, largest: 2 }, 4, { beta: 0.5, errors: [error] });
        const priority = error + 0.5;
        expect(after.leaves[0]).toBeCloseTo(Math.sqrt(priority), 3);
        expect(after.largest).toBeCloseTo(Math.max(2, priority), 3);
        expect(after.leaves[3]).toBeCloseTo(Math.sqrt(Math.max(2, priority)), 3);
      }),
      { numRuns: 20 },
    );
  });

  it("starts from nothing with the priority 1", () => {
    expect(noPriorities(3)).toEqual({ leaves: new Float32Array(3), largest: 1 });
  });
});
