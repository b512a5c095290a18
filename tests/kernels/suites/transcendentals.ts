/** exp, log, sin, cos and tanh of a device against f64 functions, over their stated ranges and beyond. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Device } from "../../../src/kernels/index.ts";
import * as k from "../../../src/kernels/index.ts";
import type { TestDevice } from "../support/devices.ts";
import { numbers } from "../support/numbers.ts";
import { runOnDevice } from "../support/run.ts";

const functions = { exp: k.exp, log: k.log, sin: k.sin, cos: k.cos, tanh: k.tanh };
type Name = keyof typeof functions;

const COUNT = 20_000;
const LARGEST = 3.4028234663852886e38;
const SMALLEST_NORMAL = 1.1754943508222875e-38;
const SMALLEST = 1.401298464324817e-45;

const grid = (low: number, high: number): Float32Array => {
  const next = numbers(11);
  return Float32Array.from({ length: COUNT }, (_, i) => low + ((high - low) * (i + next())) / COUNT);
};
const logGrid = (low: number, high: number): Float32Array =>
  grid(Math.log(low), Math.log(high)).map((x) => Math.exp(x));

/** Position of an f32 in the order of all f32. */
function ordinal(x: number): number {
  const bits = new Int32Array(Float32Array.of(x).buffer)[0] as number;
  return bits < 0 ? -(bits & 0x7fffffff) : bits;
}

export function transcendentalSuite({ name, create, subnormals }: TestDevice): void {
  describe(`transcendental functions on ${name}`, () => {
    let device: Device;
    beforeAll(async () => {
      device = await create();
    });
    afterAll(() => device.close());

    const n = k.sym("n");
    const apply = async (f: Name, xs: ArrayLike<number>): Promise<readonly number[]> => {
      const program = k.trace(f, () => k.state("y", [n]).write(functions[f](k.state("x", [n]).read())));
      return (await runOnDevice(device, program, { n: xs.length }, { x: Array.from(xs) })).y ?? [];
    };
    const worst = (xs: Float32Array, ys: readonly number[], error: (x: number, y: number) => number) => {
      let [most, at] = [0, 0];
      xs.forEach((x, i) => {
        const e = error(x, ys[i] ?? Number.NaN);
        if (!(e <= most)) [most, at] = [e, x];
      });
      return { most, at };
    };

    const tiny = logGrid(subnormals ? 1e-44 : 2 * SMALLEST_NORMAL, 1e-3);
    it.each<[Name, string, Float32Array]>([
      ["exp", "normal results", grid(-87.33, 88.72)],
      ["exp", "around 0", grid(-1e-3, 1e-3)],
      ...(subnormals
        ? [["exp", "subnormal results", grid(-103.9, -87.34)] as [Name, string, Float32Array]]
        : []),
      ["log", "all normal numbers", logGrid(SMALLEST_NORMAL, LARGEST)],
      ["log", "around 1", grid(0.99, 1.01)],
      ["sin", "one turn", grid(-Math.PI, Math.PI)],
      ["sin", "tiny", tiny],
      ["cos", "one turn", grid(-Math.PI, Math.PI)],
      ["tanh", "all that is not 1", grid(-10, 10)],
      ["tanh", "where its two forms meet", grid(0.62, 0.63)],
      ["tanh", "tiny", tiny],
      ["tanh", "large", grid(10, 1e4)],
    ])("%s is within 2 units in the last place: %s", async (f, _range, xs) => {
      const { most, at } = worst(xs, await apply(f, xs), (x, y) =>
        Math.abs(ordinal(y) - ordinal(Math[f](x))),
      );
      expect(most, `worst at ${at}`).toBeLessThanOrEqual(2);
    });

    it.each(["sin", "cos"] as const)("%s is within 1e-7 up to 8,192", async (f) => {
      const xs = grid(-8192, 8192);
      const { most, at } = worst(xs, await apply(f, xs), (x, y) => Math.abs(y - Math[f](x)));
      expect(most, `worst at ${at}`).toBeLessThanOrEqual(1e-7);
    });

    it("treats special values as IEEE functions do", async () => {
      const special = [
        0,
        -0,
        Infinity,
        -Infinity,
        Number.NaN,
        SMALLEST_NORMAL,
        LARGEST,
        -LARGEST,
        -1,
        -1e-30,
      ];
      // Adding 0 makes -0 and 0 one.
      const alike = (y: number, exact: number) =>
        Number.isFinite(exact) ? Math.abs(ordinal(y) - ordinal(exact)) <= 2 : Object.is(y, exact);
      for (const f of ["exp", "log", "tanh"] as const) {
        const found = await apply(f, special);
        const wrong = special.filter((x, i) => !alike(found[i] ?? 0, Math.fround(Math[f](Math.fround(x)))));
        expect({ f, wrong }).toEqual({ f, wrong: [] });
      }
      for (const f of ["sin", "cos"] as const) {
        expect(await apply(f, [Infinity, -Infinity, Number.NaN])).toEqual([
          Number.NaN,
          Number.NaN,
          Number.NaN,
        ]);
        const least = subnormals ? SMALLEST : SMALLEST_NORMAL;
        expect(await apply(f, [0, least, -least])).toEqual(
          [0, least, -least].map((x) => Math.fround(Math[f](x))),
        );
      }
    });

    it("overflows and underflows exp where f32 does", async () => {
      expect(await apply("exp", [88.72283, 88.72284, 89, 1000, -103.97, -104, -1e30])).toEqual([
        expect.closeTo(3.4027985e38, -32),
        Infinity,
        Infinity,
        Infinity,
        subnormals ? SMALLEST : 0,
        0,
        0,
      ]);
    });

    it("takes subnormal arguments of log for the smallest normal number, or for 0 like the device", async () => {
      const least = Math.fround(Math.log(SMALLEST_NORMAL));
      const allowed = subnormals ? [least] : [least, -Infinity];
      for (const found of await apply("log", [SMALLEST, 1e-40])) expect(allowed).toContain(found);
    });
  });
}
