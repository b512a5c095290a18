/** Arithmetic on infinities, NaN, signed zeros, subnormal and huge numbers: the same bits everywhere. */
import { beforeAll, describe, expect, it } from "vitest";
import * as k from "../../../src/kernels/index.ts";
import type { TestDevice } from "../support/devices.ts";
import { type Buffers, runOnDevice, runOnReference } from "../support/run.ts";

const SPECIAL = [
  0,
  -0,
  1,
  -1,
  0.5,
  -2.5,
  Infinity,
  -Infinity,
  Number.NaN,
  1.401298464324817e-45,
  -1.1754943508222875e-38,
  3.4028234663852886e38,
  -3.4028234663852886e38,
  2147483648,
  -2147483904,
  16777217,
];

const SMALLEST_NORMAL = 1.1754943508222875e-38;
const isSubnormal = (x: number): boolean => x !== 0 && Math.abs(x) < SMALLEST_NORMAL;

export function specialValueSuite({ name, create, subnormals }: TestDevice): void {
  const values = subnormals ? SPECIAL : SPECIAL.filter((x) => !isSubnormal(x));
  /** Without subnormal numbers, a result that would be one is a zero of its sign. */
  const asHeld = (x: number): number => (subnormals || !isSubnormal(x) ? x : x < 0 ? -0 : 0);
  const n = values.length;
  const program = k.trace("special", () => {
    const x = k.state("x", [n, 1]).read();
    const y = k.state("y", [n]).read();
    const unary = { neg: k.neg, abs: k.abs, sqrt: k.sqrt, floor: k.floor };
    for (const [f, apply] of Object.entries(unary)) k.state(f, [n]).write(apply(y));
    const binary = { add: k.add, sub: k.sub, mul: k.mul, div: k.div, minimum: k.minimum, maximum: k.maximum };
    for (const [f, apply] of Object.entries(binary)) k.state(f, [n, n]).write(apply(x, y));
    const compare = {
      less: k.less,
      lessEqual: k.lessEqual,
      greater: k.greater,
      greaterEqual: k.greaterEqual,
      equal: k.equal,
    };
    for (const [f, apply] of Object.entries(compare))
      k.state(f, [n, n], { dtype: "bool" }).write(apply(x, y));
    k.state("integer", [n], { dtype: "i32" }).write(k.cast(y, "i32"));
    k.state("clip", [n]).write(k.clip(y, -1, 1));
  });

  describe(`special values on ${name}`, () => {
    let found: Buffers;
    let expected: Buffers;
    beforeAll(async () => {
      const device = await create();
      const initial = { x: values, y: values };
      found = await runOnDevice(device, program, {}, initial);
      expected = runOnReference(program, {}, initial);
      device.close();
    });

    it.each([...program.states.keys()].filter((s) => s !== "x" && s !== "y"))("%s", (result) => {
      expect(found[result]).toEqual(expected[result]?.map(asHeld));
    });
  });
}
