/** What operations mean, by small examples worked out by hand; run on the reference evaluator and a device. */
import { describe, expect, it } from "vitest";
import * as k from "../../../src/kernels/index.ts";
import type { TestDevice } from "../support/devices.ts";
import { type Buffers, runOnDevice, runOnReference } from "../support/run.ts";

type Out = Record<string, k.Tensor>;

interface Example {
  readonly what: string;
  readonly build: () => Out;
  readonly gives: Buffers;
}

/** A tensor of known values: steps of `step` from `from`. */
const ramp = (shape: readonly number[], from = 0, step = 1): k.Tensor =>
  k.reshape(k.add(k.mul(k.cast(k.iota(k.sizeOf(shape)), "f32"), step), from), shape);

const row = (...values: readonly number[]): k.Tensor =>
  k.concat(values.map((v) => k.constant(v, "f32", [1])));
const indices = (...values: readonly number[]): k.Tensor => k.cast(row(...values), "i32");

const examples: readonly Example[] = [
  {
    what: "sum and max over each axis of [[0,1,2],[3,4,5]]",
    build: () => {
      const x = ramp([2, 3]);
      return { down: k.sum(x, 0), across: k.sum(x, 1), most: k.max(x, 0), mean: k.mean(x), all: k.sumAll(x) };
    },
    gives: { down: [3, 5, 7], across: [3, 12], most: [3, 4, 5], mean: [1, 4], all: [15] },
  },
  {
    what: "products of [[0,1,2],[3,4,5]] with itself, transposed either way, and a bias",
    build: () => {
      const x = ramp([2, 3]);
      return {
        rows: k.matmul(x, x, { transposeB: true }),
        columns: k.matmul(x, x, { transposeA: true }),
        biased: k.matmul(x, ramp([3, 2]), { bias: row(100, 200) }),
      };
    },
    gives: {
      rows: [5, 14, 14, 50],
      columns: [9, 12, 15, 12, 17, 22, 15, 22, 29],
      biased: [110, 213, 128, 240],
    },
  },
  {
    what: "transposition, reshaping, columns and joints",
    build: () => {
      const x = ramp([2, 3]);
      return {
        turned: k.transpose(x),
        middle: k.slice(x, 1, 2),
        last: k.column(x, 2),
        joined: k.concat([x, ramp([2, 1], 10)]),
        stacked: k.stackColumns([row(1, 2), row(3, 4)]),
      };
    },
    gives: {
      turned: [0, 3, 1, 4, 2, 5],
      middle: [1, 2, 4, 5],
      last: [2, 5],
      joined: [0, 1, 2, 10, 3, 4, 5, 11],
      stacked: [1, 3, 2, 4],
    },
  },
  {
    what: "broadcasting a column against a row",
    build: () => ({ table: k.sub(ramp([2, 1], 10, 10), ramp([3])), wide: k.broadcastTo(row(7, 8), [2, 2]) }),
    gives: { table: [10, 9, 8, 20, 19, 18], wide: [7, 8, 7, 8] },
  },
  {
    what: "rows by index, and back into place with repeats summed",
    build: () => ({
      taken: k.takeRows(ramp([3, 2]), indices(2, 0, 2)),
      put: k.sumRowsAt(ramp([3, 2], 1), indices(1, 0, 1), 3),
    }),
    gives: { taken: [4, 5, 0, 1, 4, 5], put: [3, 4, 6, 8, 0, 0] },
  },
  {
    what: "argmax takes the first of equals",
    build: () => ({ best: k.argmax(k.reshape(row(1, 3, 3, -1, -5, -1), [2, 3])) }),
    gives: { best: [1, 0] },
  },
  {
    what: "selection, comparison and rounding at ties and below zero",
    build: () => {
      const x = row(-1.5, -0.5, 0, 0.5, 1.5);
      return {
        floor: k.floor(x),
        toward_zero: k.cast(x, "i32"),
        sign: k.select(k.less(x, 0), -1, k.select(k.greater(x, 0), k.ones([5]), 0)),
        clipped: k.clip(x, -1, 1),
      };
    },
    gives: {
      floor: [-2, -1, 0, 0, 1],
      toward_zero: [-1, 0, 0, 0, 1],
      sign: [-1, -1, 0, 1, 1],
      clipped: [-1, -0.5, 0, 0.5, 1],
    },
  },
  {
    what: "minimum and maximum give the first operand when one is NaN",
    build: () => {
      const [nan, one] = [row(Number.NaN), row(1)];
      return {
        low: k.concat([k.minimum(nan, one), k.minimum(one, nan)]),
        high: k.concat([k.maximum(nan, one), k.maximum(one, nan)]),
      };
    },
    gives: { low: [Number.NaN, 1], high: [Number.NaN, 1] },
  },
  {
    what: "f32 beyond i32 is cut off, NaN becomes 0",
    build: () => ({ whole: k.cast(row(3e9, -3e9, Number.NaN, 2.9, -2.9), "i32") }),
    gives: { whole: [2 ** 31 - 1, -(2 ** 31), 0, 2, -2] },
  },
  {
    what: "i32 and u32 wrap around, and shift with and without their sign",
    build: () => {
      const [i, u] = [k.constant(-8, "i32", [1]), k.constant(4_294_967_288, "u32", [1])];
      return {
        i: k.add(k.mul(i, 2 ** 30), 3),
        u: k.mul(u, u),
        right: k.shiftRight(i, 1),
        unsigned: k.shiftRight(u, 1),
        left: k.shiftLeft(i, 29),
      };
    },
    gives: { i: [3], u: [64], right: [-4], unsigned: [2_147_483_644], left: [0] },
  },
  {
    what: "a row standardised: mean 0, biased variance 1, epsilon 1e-5",
    build: () => ({ row: k.standardize(row(1, 3)), flat: k.standardize(row(4, 4, 4)) }),
    gives: { row: [-1 / Math.sqrt(1.00001), 1 / Math.sqrt(1.00001)].map(Math.fround), flat: [0, 0, 0] },
  },
  {
    what: "a scan forward and backward: running sums, each at its own row",
    build: () => {
      const run = (reverse: boolean) =>
        k.scan({ count: 4, carry: [k.zeros([])], xs: [row(1, 2, 3, 4)], reverse }, ([c], [x], t) => {
          const total = k.add(c as k.Tensor, x as k.Tensor);
          return { carry: [total], ys: [total, k.cast(t, "f32")] };
        });
      const [forward, backward] = [run(false), run(true)];
      return {
        forward: forward.ys[0] as k.Tensor,
        backward: backward.ys[0] as k.Tensor,
        places: backward.ys[1] as k.Tensor,
        total: backward.carry[0] as k.Tensor,
      };
    },
    gives: { forward: [1, 3, 6, 10], backward: [10, 9, 7, 4], places: [0, 1, 2, 3], total: [10] },
  },
  {
    what: "a scan of no iterations, of a computed count, and one that ends early",
    build: () => {
      const count = (n: k.Dim | k.Tensor, limit = 100) =>
        k.scan({ count: n, carry: [k.zeros([])] }, ([c]) => {
          const next = k.add(c as k.Tensor, 1);
          return { carry: [next], until: k.greaterEqual(next, limit) };
        }).carry[0] as k.Tensor;
      return {
        none: count(0),
        computed: count(k.constant(3, "i32")),
        negative: count(k.constant(-2, "i32")),
        early: count(9, 4),
      };
    },
    gives: { none: [0], computed: [3], negative: [0], early: [4] },
  },
  {
    what: "carried values that change places",
    build: () => {
      const [a, b] = k.scan({ count: 3, carry: [row(1, 2), row(3, 4)] }, ([x, y]) => ({
        carry: [y as k.Tensor, x as k.Tensor],
      })).carry as readonly [k.Tensor, k.Tensor];
      return { a, b };
    },
    gives: { a: [3, 4], b: [1, 2] },
  },
  {
    what: "state as it stands at each point of the program",
    build: () => {
      const s = k.state("s", [2]);
      s.write(row(1, 2));
      const first = s.read();
      s.write(k.mul(first, 10));
      const second = s.read();
      s.writeRows(indices(1), row(7));
      return { first: k.neg(first), second: k.neg(second), third: s.read() };
    },
    gives: { first: [-1, -2], second: [-10, -20], third: [10, 7] },
  },
  {
    what: "gradients by the rules of calculus, with ties and clipping",
    build: () => {
      const x = row(-2, 0.5, 3, 3);
      const [square] = k.grad(k.sumAll(k.square(x)), [x]);
      const [clipped] = k.grad(k.sumAll(k.clip(x, -1, 1)), [x]);
      const [most] = k.grad(k.maxAll(x), [x]);
      const [stopped, none] = k.grad(k.sumAll(k.mul(x, k.stopGradient(x))), [x, k.ones([2])]);
      return {
        square: square as k.Tensor,
        clipped: clipped as k.Tensor,
        most: most as k.Tensor,
        stopped: stopped as k.Tensor,
        none: none as k.Tensor,
      };
    },
    gives: {
      square: [-4, 1, 6, 6],
      clipped: [0, 1, 0, 0],
      most: [0, 0, 1, 1],
      stopped: [-2, 0.5, 3, 3],
      none: [0, 0],
    },
  },
  {
    what: "a vector-Jacobian product weighs several outputs",
    build: () => {
      const x = row(2, 3);
      const [g] = k.vjp(
        [
          { output: k.square(x), gradient: row(1, 10) },
          { output: k.sumAll(x), gradient: k.constant(100) },
        ],
        [x],
      );
      return { g: g as k.Tensor };
    },
    gives: { g: [104, 160] },
  },
];

export function exampleSuite({ name, create }: TestDevice): void {
  describe(`examples on ${name} and the reference evaluator`, () => {
    it.each(examples)("$what", async ({ build, gives }) => {
      const program = k.trace("example", () => {
        for (const [out, t] of Object.entries(build())) k.state(out, t.shape, { dtype: t.dtype }).write(t);
      });
      const device = await create();
      const named = (found: Buffers) =>
        Object.fromEntries(Object.keys(gives).map((out) => [out, found[out]?.map((v) => v + 0)]));
      expect(named(runOnReference(program, {}, {}))).toEqual(gives);
      expect(named(await runOnDevice(device, program, {}, {}))).toEqual(gives);
      device.close();
    });
  });
}
