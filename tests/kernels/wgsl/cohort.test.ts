/** Programs that are left and entered again at the limit of a dispatch. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as k from "../../../src/kernels/index.ts";
import type { Cohort } from "../../../src/kernels/webgpu.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { buildProgram, describeProgram, initialValues } from "../support/randomProgram.ts";
import { programRecipes } from "../support/recipes.ts";
import { softwareAdapter } from "../support/softwareAdapter.ts";

const n = k.sym("n");

/** Loops in a loop, one of a count that is known only at run time, one that may end early, and a stack of values. */
const nested = (): k.Program =>
  k.trace("nested", () => {
    const total = k.state("total", [n]);
    const log = k.state("log", [3, n]);
    const times = k.state("times", [], { dtype: "i32" });
    const before = k.mul(total.read(), 0.5);
    const { carry, ys } = k.scan({ count: 3, carry: [before], reverse: true }, ([x], _, t) => {
      const { carry } = k.scan({ count: times.read(), carry: [x as k.Tensor] }, ([y], __, u) => ({
        carry: [k.add(k.mul(y as k.Tensor, 0.75), k.cast(k.add(t, u), "f32"))],
      }));
      // The count of the next loop within.
      times.write(k.add(times.read(), 1));
      const { carry: once } = k.scan({ count: 5, carry: [carry[0] as k.Tensor] }, ([y]) => ({
        carry: [k.add(y as k.Tensor, 0.125)],
        until: k.greater(k.sumAll(y as k.Tensor), 4),
      }));
      return { carry: once, ys: [k.add(once[0] as k.Tensor, before)] };
    });
    log.write(ys[0] as k.Tensor);
    total.write(k.sub(carry[0] as k.Tensor, k.sumAll(ys[0] as k.Tensor)));
  });

describe("a program cut by the limit of a dispatch", () => {
  let device: WebGpuDevice;
  beforeAll(async () => {
    device = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
  });
  afterAll(() => device.close());

  const progress = async (cohort: Cohort) => {
    const [copy] = await device.readMany([cohort.records]);
    return cohort.progressIn(copy as ArrayBuffer);
  };

  /** All buffers after two runs, whole or in dispatches of so many units, and how many there were. */
  async function outcome(
    program: k.Program,
    bindings: readonly k.Binding[],
    initial: (member: number) => Readonly<Record<string, readonly number[]>>,
    units: number | null,
  ) {
    const executable = await device.compile(program);
    const arenas = bindings.map((binding, member) => {
      const arena = device.arena(program.states.values(), binding);
      for (const [name, values] of Object.entries(initial(member)))
        if (arena.has(name)) arena.write(name, values);
      return arena;
    });
    const members = arenas.map((arena) => executable.bind(arena));
    const cohort = device.cohort(members);
    let dispatches = 0;
    if (units === null) {
      cohort.run();
      cohort.run();
    } else {
      cohort.start(members.map(() => 2));
      while ((await progress(cohort)).some(({ left }) => left > 0)) {
        cohort.advance(units);
        if (++dispatches === 10_000) throw new Error("the program does not end");
      }
    }
    const buffers: unknown[] = [];
    for (const arena of arenas)
      for (const name of program.states.keys()) buffers.push(Array.from(await arena.read(name)));
    cohort.release();
    for (const member of members) member.release();
    for (const arena of arenas) arena.release();
    return { buffers, dispatches };
  }

  const values = (length: number) => Array.from({ length }, (_, i) => (i % 5) / 8);

  it("ends with the same bits, wherever it is cut, for members of any width", async () => {
    const program = nested();
    const bindings = [{ n: 3 }, { n: 70 }];
    const initial = (member: number) => ({ total: values(member === 0 ? 3 : 70), times: [member + 1] });
    const whole = await outcome(program, bindings, initial, null);
    const counts: number[] = [];
    for (const units of [1, 2, 7, 30, 100_000]) {
      const cut = await outcome(program, bindings, initial, units);
      expect(cut.buffers).toEqual(whole.buffers);
      counts.push(cut.dispatches);
    }
    expect(counts.at(-1)).toBe(1);
    expect(counts[0]).toBeGreaterThan(40);
    expect([...counts].sort((a, b) => b - a)).toEqual(counts);
  });

  it("ends with the same bits, whatever the program", async () => {
    await fc.assert(
      fc.asyncProperty(programRecipes, fc.integer({ min: 1, max: 6 }), async (recipe, units) => {
        const program = buildProgram(recipe);
        const initial = () => initialValues(recipe, "exact");
        const whole = await outcome(program, [recipe.binding], initial, null);
        const cut = await outcome(program, [recipe.binding], initial, units);
        expect({ program: describeProgram(recipe), buffers: cut.buffers }).toEqual({
          program: describeProgram(recipe),
          buffers: whole.buffers,
        });
      }),
      { numRuns: 10, seed: 11 },
    );
  });

  it("tells how far each member is", async () => {
    const program = k.trace("count", () => {
      const total = k.state("total", [n]);
      k.scan({ count: n, carry: [] }, () => {
        total.write(k.add(total.read(), 1));
        return { carry: [] };
      });
    });
    const executable = await device.compile(program);
    const arenas = [4, 2].map((width) => device.arena(program.states.values(), { n: width }));
    const cohort = device.cohort(arenas.map((arena) => executable.bind(arena)));
    cohort.start([2, 1]);
    cohort.advance(3);
    expect(await progress(cohort)).toEqual([
      { left: 2, position: 3, count: 4 },
      { left: 0, position: 0, count: 0 },
    ]);
    cohort.advance(3);
    expect((await progress(cohort))[0]).toEqual({ left: 1, position: 2, count: 4 });
    expect(Array.from((await arenas[0]?.read("total")) ?? [])).toEqual([6, 6, 6, 6]);
  });

  it("goes on as a whole where `run` follows", async () => {
    const program = nested();
    const initial = { total: values(5), times: [1] };
    const executable = await device.compile(program);
    const arena = device.arena(program.states.values(), { n: 5 });
    for (const [name, contents] of Object.entries(initial)) arena.write(name, contents);
    const member = executable.bind(arena);
    const cohort = device.cohort([member]);
    cohort.start([1]);
    cohort.advance(4);
    for (const [name, contents] of Object.entries(initial)) arena.write(name, contents);
    cohort.run();
    cohort.run();
    const whole = await outcome(program, [{ n: 5 }], () => initial, null);
    const found: unknown[] = [];
    for (const name of program.states.keys()) found.push(Array.from(await arena.read(name)));
    expect(found).toEqual(whole.buffers);
  });
});
