/** Noise on networks: what each copy computes, how far estimates are from gradients, and what returns count. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import {
  FITNESS_SHAPING,
  type FitnessShaping,
  fiveNumbers,
  globalNorm,
  utilities,
} from "../../../../src/kernels/functions.ts";
import {
  add,
  broadcastTo,
  constant,
  div,
  grad,
  mul,
  neg,
  ones,
  reshape,
  slice,
  square,
  state,
  sub,
  sum,
  sumAll,
  sym,
  type Tensor,
  trace,
} from "../../../../src/kernels/index.ts";
import { Network } from "../../../../src/rl/contract/network.ts";
import {
  bindNetwork,
  initNetwork,
  mlpData,
  moduleNetwork,
  type NetworkData,
  type Tensors,
} from "../../../../src/rl/networks.ts";
import {
  type Copies,
  copyCount,
  Perturbation,
  rowCount,
  rowsOfCopies,
} from "../../../../src/rl/programs/perturbation.ts";
import { withRowNoise } from "../../../../src/rl/programs/rowNoise.ts";
import { runOnDevice, runOnReference } from "../../../kernels/support/run.ts";
import { KINDS, type ModuleKind, moduleOf } from "../support/moduleKinds.ts";
import { runNetwork } from "../support/runNetwork.ts";
import { mlpSettings } from "../support/settings.ts";

const SIGMA = 0.3;
const KEY = { "key.0": [7], "key.1": [9] };

const networkOf = (kind: ModuleKind) => {
  const module = moduleOf(kind);
  const { inputs, outputs } = module.data;
  return moduleNetwork(module, { kind: "q", inputs, outputs });
};

const waves = (size: number): Float32Array =>
  Float32Array.from({ length: size }, (_, i) => Math.sin(3 * i + 1));

const named = (tensors: Tensors): Record<string, readonly number[]> =>
  Object.fromEntries(Object.entries(tensors).map(([name, values]) => [`net.${name}`, [...values]]));

describe.each(KINDS)("copies of a network of kind %s", (kind) => {
  it.each([
    { rank: 1, signs: 2 },
    { rank: 2, signs: 1 },
    { rank: null, signs: 2 },
  ] as const)("compute what networks with their weights do (rank $rank, signs $signs)", ({ rank, signs }) => {
    const { data, tensors } = networkOf(kind);
    const inputs = data.latent_dim;
    const copies: Copies = { directions: 2, signs, episodes: 3 };
    const rows = Number(rowCount(copies));
    const x = waves(rows * inputs);
    const program = trace("copies", () => {
      const net = new Network(data, "net", { dims: "net" });
      const noise = new Perturbation({ net }, copies, {
        sigma: constant(SIGMA),
        rank,
        iteration: constant(5, "i32"),
      });
      const y = noise.networks().net?.forward(state("x", [rows, inputs]).read()) as Tensor;
      state("y", y.shape).write(y);
      // The same copies, a row at a time.
      const copy = state("copy", [rows], { dtype: "i32" }).read();
      const options = { sigma: constant(SIGMA), rank, iteration: constant(5, "i32") };
      const single = withRowNoise({ net }, rowsOfCopies({ net }, copy, { signs }, options));
      const again = single.net?.forward(state("x", [rows, inputs]).read()) as Tensor;
      state("again", again.shape).write(again);
      for (const direction of [0, 1]) {
        const along = noise.along(state(`weights${direction}`, [2]).read());
        for (const [name, value] of Object.entries(net.parameters))
          state(`noise${direction}.${name}`, value.shape).write(along.get(value) as Tensor);
      }
    });
    const copy = Array.from({ length: rows }, (_, row) => Math.floor(row / 3));
    const initial = { copy, x: [...x], ...named(tensors), weights0: [1, 0], weights1: [0, 1], ...KEY };
    const found = runOnReference(program, bindNetwork(data, "net"), initial, { precision: "f64" });
    const outputs = (found.y?.length ?? 0) / rows;
    for (const [i, value] of (found.again ?? []).entries()) expect(found.y?.[i]).toBeCloseTo(value, 12);
    for (let copy = 0; copy < 2 * signs; copy++) {
      const direction = Math.floor(copy / signs);
      const sign = signs === 2 && copy % 2 === 1 ? -1 : 1;
      const own = Object.entries(tensors).map(([name, values]) => {
        const noise = found[`noise${direction}.${name}`] as readonly number[];
        return [name, Float64Array.from(values, (value, i) => value + sign * SIGMA * (noise[i] as number))];
      });
      const expected = runNetwork(
        data,
        // Weights in f64, which the evaluator takes.
        Object.fromEntries(own) as unknown as Tensors,
        x.slice(copy * 3 * inputs, (copy + 1) * 3 * inputs),
        inputs,
      );
      for (const [i, value] of expected.entries())
        expect(found.y?.[copy * 3 * outputs + i], `copy ${copy}, output ${i}`).toBeCloseTo(value, 9);
    }
  });
});

describe("the estimate of a gradient", () => {
  const device = new WasmDevice();
  afterAll(() => device.close());
  const data: NetworkData = {
    ...networkOf("mlp").data,
    head: mlpData(4, 3, mlpSettings([8], { min_mlp_nodes: 4 }), "head"),
  };
  const tensors = initNetwork(data, { seed: 1, stream: "net" });
  const size = Object.values(tensors).reduce((all, { length }) => all + length, 0);

  /** Cosine of the estimate and the exact gradient of an objective that is quadratic in the network's outputs. */
  async function cosine(pairs: number, rank: number | null, shaping: FitnessShaping): Promise<number> {
    const copies: Copies = { directions: sym("directions"), signs: 2, episodes: 1 };
    const objective = (y: Tensor): Tensor => neg(sum(square(sub(y, 1))));
    const program = trace("estimate", () => {
      const net = new Network(data, "net", { dims: "net" });
      const values = Object.values(net.parameters);
      const noise = new Perturbation({ net }, copies, {
        sigma: constant(1e-3),
        rank,
        iteration: constant(0, "i32"),
      });
      const x = state("x", [1, 4]).read();
      const all = noise.networks().net as Network;
      const returns = objective(all.forward(broadcastTo(x, [rowCount(copies), 4])));
      const shaped = utilities(shaping, returns, ones([copyCount(copies)]));
      const pairwise = reshape(shaped, [copies.directions, 2]);
      const weights = reshape(sub(slice(pairwise, 0, 1), slice(pairwise, 1, 1)), [copies.directions]);
      const along = noise.along(weights);
      const exact = grad(sumAll(objective(net.forward(x))), values);
      const estimate = values.map((value) => along.get(value) as Tensor);
      const inner = values
        .map((_, i) => sumAll(mul(exact[i] as Tensor, estimate[i] as Tensor)))
        .reduce((a, b) => add(a, b));
      state("cosine").write(div(inner, mul(globalNorm(exact), globalNorm(estimate))));
    });
    const binding = { ...bindNetwork(data, "net"), directions: pairs };
    const initial = { x: [0.3, -0.2, 0.9, 0.5], ...named(tensors), ...KEY };
    return (await runOnDevice(device, program, binding, initial)).cosine?.[0] as number;
  }

  // With independent normal noise, the squared error of N pairs is (n + 1) / N of the squared gradient for n
  // parameters. Ranks of normal numbers correlate with them by sqrt(3 / pi), which costs as much as fewer pairs would.
  const expected = (pairs: number, efficiency: number) =>
    1 / Math.sqrt(1 + (size + 1) / (pairs * efficiency));

  it.each([
    { rank: null, shaping: "standardized", efficiency: 1 },
    { rank: null, shaping: "centered_ranks", efficiency: 3 / Math.PI },
    { rank: 1, shaping: "centered_ranks", efficiency: 3 / Math.PI },
  ] as const)("is as near as theory says: rank $rank, $shaping", async ({ rank, shaping, efficiency }) => {
    const pairs = 4096;
    expect(await cosine(pairs, rank, shaping)).toBeGreaterThanOrEqual(0.95 * expected(pairs, efficiency));
  });
});

describe("utilities", () => {
  const shaped = (shaping: FitnessShaping, returns: readonly number[], counted = returns.map(() => 1)) => {
    const program = trace("utilities", () => {
      const n = returns.length;
      const result = utilities(shaping, state("returns", [n]).read(), state("counted", [n]).read());
      state("utilities", [n]).write(result);
    });
    const found = runOnReference(program, {}, { returns, counted }, { precision: "f64" }).utilities ?? [];
    // Without the sign of 0.
    return found.map((value) => value + 0);
  };
  const returns = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 9 });

  it.each(FITNESS_SHAPING)("of %s do not change if all returns move, and sum to 0", (shaping) => {
    fc.assert(
      fc.property(returns, fc.integer({ min: -5, max: 5 }), (values, shift) => {
        const before = shaped(shaping, values);
        const after = shaped(
          shaping,
          values.map((value) => value + shift),
        );
        for (const [i, value] of after.entries()) expect(value).toBeCloseTo(before[i] as number, 9);
        expect(after.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 9);
      }),
      { numRuns: 30 },
    );
  });

  it("of ranks are the same for any scale, alike for equal returns, and 0 for copies that do not count", () => {
    expect(shaped("centered_ranks", [3, 1e6, 3, -7, 0], [1, 1, 1, 1, 0])).toEqual([0, 0.5, 0, -0.5, 0]);
    for (const shaping of FITNESS_SHAPING) expect(shaped(shaping, [4, 4, 4])).toEqual([0, 0, 0]);
  });

  it("stand beside five numbers of the returns that count, between neighbours where they must be", () => {
    const five = (values: readonly number[], counted: readonly number[]) => {
      const program = trace("five", () => {
        const n = values.length;
        const found = fiveNumbers(state("values", [n]).read(), state("counted", [n]).read());
        for (const [i, number] of found.entries()) state(`number.${i}`).write(number);
      });
      const found = runOnReference(program, {}, { values, counted }, { precision: "f64" });
      return [0, 1, 2, 3, 4].map((i) => found[`number.${i}`]?.[0]);
    };
    expect(five([9, 1, 2, 4], [1, 1, 1, 1])).toEqual([1, 1.75, 3, 5.25, 9]);
    expect(five([3, -50, 3, 1, 7, 3, 99], [1, 0, 1, 1, 1, 1, 0])).toEqual([1, 3, 3, 3, 7]);
    expect(five([5, 6], [0, 1])).toEqual([6, 6, 6, 6, 6]);
  });

  it("of standardised returns have a deviation of 1 among those that count", () => {
    const found = shaped("standardized", [1, 3, 1000], [1, 1, 0]);
    expect(found).toEqual([-1, 1, 0]);
  });
});
