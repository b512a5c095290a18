import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fanFor, SumTree } from "../../../src/kernels/functions.ts";
import type { Device } from "../../../src/kernels/index.ts";
import * as k from "../../../src/kernels/index.ts";
import { devices } from "../support/devices.ts";
import { numbers } from "../support/numbers.ts";
import { type Buffers, runOnDevice } from "../support/run.ts";

const [fan, writes, draws] = [k.sym("fan"), k.sym("writes"), k.sym("draws")];

/** Writes leaves, then tells the total, the least positive priority, and where masses fall. */
const program = k.trace("tree", () => {
  const tree = new SumTree("tree", fan);
  const [index, values] = [k.state("index", [writes], { dtype: "i32" }), k.state("values", [writes])];
  tree.write(index.read(), values.read());
  k.state("total").write(tree.total());
  k.state("least").write(tree.least());
  k.state("found", [draws], { dtype: "i32" }).write(tree.find(k.state("mass", [draws]).read()));
  const stratified = tree.findStratified(k.state("uniform", [draws]).read());
  k.state("stratified", [draws], { dtype: "i32" }).write(stratified);
  k.state("drawn", [draws]).write(tree.read(stratified));
});

/** A tree whose leaves came from outside. */
const whole = k.trace("whole", () => {
  const tree = new SumTree("tree", fan);
  tree.gather();
  k.state("total").write(tree.total());
  k.state("least").write(tree.least());
});

const BUFFERS = ["tree.leaf3", "tree.sum2", "tree.sum1", "tree.least2", "tree.least1"] as const;

interface Scenario {
  readonly children: number;
  readonly rounds: readonly { readonly index: readonly number[]; readonly values: readonly number[] }[];
}

const scenarios: fc.Arbitrary<Scenario> = fc.integer({ min: 2, max: 6 }).chain((children) =>
  fc.record({
    children: fc.constant(children),
    rounds: fc.array(
      fc
        .array(
          fc.tuple(
            fc.nat(children ** 3 - 1),
            fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 9, noNaN: true })),
          ),
          {
            minLength: 1,
            maxLength: 12,
          },
        )
        .map((pairs) => ({ index: pairs.map(([i]) => i), values: pairs.map(([, v]) => Math.fround(v)) })),
      { minLength: 1, maxLength: 4 },
    ),
  }),
);

/** Leaves after the rounds; of equal indices the last one wins. */
function leavesAfter({ children, rounds }: Scenario): number[] {
  const leaves = new Array<number>(children ** 3).fill(0);
  for (const { index, values } of rounds)
    index.forEach((leaf, i) => {
      leaves[leaf] = values[i] as number;
    });
  return leaves;
}

describe.each(devices)("sum tree on $name", ({ create, share }) => {
  let device: Device;
  beforeAll(async () => {
    device = await create();
  });
  afterAll(() => device.close());
  const numRuns = Math.ceil(60 * share);

  /** The buffers after all rounds; masses and uniform numbers are those of the last. */
  async function play(
    scenario: Scenario,
    mass: readonly number[],
    uniform: readonly number[],
  ): Promise<Buffers> {
    let state: Buffers = {};
    for (const { index, values } of scenario.rounds) {
      const binding = { fan: scenario.children, writes: index.length, draws: mass.length };
      state = await runOnDevice(device, program, binding, { ...state, index, values, mass, uniform });
    }
    return state;
  }

  it("holds after any writes the very sums of all leaves written at once", async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const found = await play(scenario, [0], [0]);
        const priorities = leavesAfter(scenario);
        const expected = await runOnDevice(
          device,
          whole,
          { fan: scenario.children },
          { "tree.leaf3": priorities },
        );
        expect(found["tree.leaf3"]).toEqual(priorities);
        expect(found.total).toEqual(expected.total);
        expect(found.least).toEqual(expected.least);
        const positive = priorities.filter((p) => p > 0);
        expect(found.least?.[0]).toBe(Math.min(...positive));
        expect(found.total?.[0]).toBeCloseTo(
          positive.reduce((a, b) => a + b, 0),
          3,
        );
        for (const name of BUFFERS.filter((buffer) => buffer.includes("sum")))
          expect(found[name], `buffer ${name}`).toEqual(expected[name]);
      }),
      { numRuns, seed: 8 },
    );
  });

  it("finds the leaf in whose share a mass lies, and never one without a priority", async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.nat(1000), async (scenario, seed) => {
        const leaves = leavesAfter(scenario);
        const total = leaves.reduce((a, b) => a + b, 0);
        fc.pre(total > 0);
        const next = numbers(seed);
        const inside = Array.from({ length: 20 }, () => total * next());
        const found = await play(
          scenario,
          [...inside, 0, total, 2 * total],
          Array.from({ length: 23 }, next),
        );
        const ends: number[] = [];
        leaves.reduce((sum, value, i) => {
          ends[i] = sum + value;
          return sum + value;
        }, 0);
        const slack = 1e-5 * total;
        inside.forEach((mass, i) => {
          const leaf = found.found?.[i] as number;
          expect(mass).toBeGreaterThanOrEqual((ends[leaf] as number) - (leaves[leaf] as number) - slack);
          expect(mass).toBeLessThanOrEqual((ends[leaf] as number) + slack);
        });
        for (const leaf of [...(found.found ?? []), ...(found.stratified ?? [])])
          expect(leaves[leaf], `leaf ${leaf}`).toBeGreaterThan(0);
        expect(found.drawn).toEqual(found.stratified?.map((leaf) => leaves[leaf]));
      }),
      { numRuns, seed: 9 },
    );
  });

  it("draws each leaf in proportion, up to a draw at either end of its share", async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.nat(1000), async (scenario, seed) => {
        const leaves = leavesAfter(scenario);
        const total = leaves.reduce((a, b) => a + b, 0);
        fc.pre(total > 0);
        const count = 500;
        const { stratified = [] } = await play(
          scenario,
          new Array(count).fill(0),
          Array.from({ length: count }, numbers(seed)),
        );
        leaves.forEach((value, leaf) => {
          const times = stratified.filter((drawn) => drawn === leaf).length;
          const share = (count * value) / total;
          expect(times, `leaf ${leaf}`).toBeGreaterThanOrEqual(share - 2.01);
          expect(times, `leaf ${leaf}`).toBeLessThanOrEqual(share + 2.01);
        });
      }),
      { numRuns, seed: 10 },
    );
  });

  it("walks a tree of a hundred thousand priorities", async () => {
    const children = fanFor(100_000);
    const size = children ** 3;
    const next = numbers(4);
    const index = Array.from({ length: 64 }, () => Math.floor(next() * size));
    const values = index.map((leaf) => 1 + (leaf % 7));
    const sum = [...new Map(index.map((leaf, i) => [leaf, values[i] as number])).values()].reduce(
      (a, b) => a + b,
      0,
    );
    const mass = Array.from({ length: 64 }, (_, i) => ((i + 0.5) / 64) * sum);
    const found = await play(
      { children, rounds: [{ index, values }] },
      mass,
      mass.map(() => 0.5),
    );
    const order = [...new Set(index)].sort((a, b) => a - b);
    const expected = mass.map((m) => {
      let rest = m;
      return order.find((leaf) => (rest -= 1 + (leaf % 7)) < 0);
    });
    expect(found.total).toEqual([sum]);
    expect(found.found).toEqual(expected);
    expect(found.stratified).toEqual(expected);
  });
});

it("a tree has room for its capacity, in rows of whole vectors", () => {
  for (const capacity of [1, 64, 65, 512, 513, 100_000, 1_000_000]) {
    const children = fanFor(capacity);
    expect(children % 4).toBe(0);
    expect(children ** 3).toBeGreaterThanOrEqual(capacity);
    expect(children === 4 || (children - 4) ** 3 < capacity).toBe(true);
  }
});
