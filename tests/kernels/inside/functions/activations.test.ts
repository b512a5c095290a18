import { describe, expect, it } from "vitest";
import { type ActivationInputs, erf } from "../../../../src/kernels/functions/activations.ts";
import {
  activate,
  layerNorm,
  linear,
  state,
  type Tensor,
  type Values,
} from "../../../../src/kernels/functions.ts";
import { grad, mul, sumAll, trace } from "../../../../src/kernels/index.ts";
import { ACTIVATIONS } from "../../../../src/manifests/index.ts";
import type { Activation } from "../../../../src/specs/networks.ts";
import { evaluate } from "../support/evaluate.ts";

const POINTS = [-120, -30, -9, -4.5, -2.1, -1, -0.3, -1e-3, 0, 1e-4, 0.2, 0.9, 1.7, 3.3, 8, 25, 120];

/** erf by its Taylor series about 0, and 1 - the continued fraction of erfc in the tail. */
function erf64(x: number): number {
  const z = Math.abs(x);
  if (z < 3) {
    let [term, sum] = [z, z];
    for (let n = 1; n < 100; n++) {
      term *= (-z * z) / n;
      sum += term / (2 * n + 1);
    }
    return (Math.sign(x) * 2 * sum) / Math.sqrt(Math.PI);
  }
  let fraction = 0;
  for (let k = 60; k >= 1; k--) fraction = k / 2 / (z + fraction);
  return Math.sign(x) * (1 - Math.exp(-z * z) / (Math.sqrt(Math.PI) * (z + fraction)));
}

const FORMULAE: Record<Exclude<Activation, "Softmax" | "GumbelSoftmax">, (x: number) => number> = {
  Tanh: Math.tanh,
  GELU: (x) => (x * (1 + erf64(x / Math.SQRT2))) / 2,
  ReLU: (x) => Math.max(x, 0),
  ELU: (x) => (x > 0 ? x : Math.expm1(x)),
  LeakyReLU: (x) => (x > 0 ? x : 0.01 * x),
  Sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  Softplus: (x) => (x > 30 ? x : Math.log1p(Math.exp(x))),
  PReLU: (x) => (x > 0 ? x : 0.3 * x),
  Identity: (x) => x,
};
const NAMES = Object.keys(FORMULAE) as (keyof typeof FORMULAE)[];

/** Values of `f` at x, and the gradient of sum(weights * f(x)). */
function run(
  f: (x: Tensor, inputs: ActivationInputs) => Tensor,
  x: readonly number[],
  precision: "f32" | "f64",
  { shape = [x.length], weights = x.map(() => 1) }: { shape?: number[]; weights?: readonly number[] } = {},
): { y: Values; gradient: Values } {
  const program = trace("activation", () => {
    const input = state("x", shape).read();
    const y = f(input, { slope: state("slope", [1]).read() });
    state("y", shape).write(y);
    const loss = sumAll(mul(y, state("weights", shape).read()));
    state("gradient", shape).write(grad(loss, [input])[0] as Tensor);
  });
  const array = (values: readonly number[]) =>
    precision === "f64" ? Float64Array.from(values) : Float32Array.from(values);
  const states = new Map<string, Values>([
    ["x", array(x)],
    ["slope", array([0.3])],
    ["weights", array(weights)],
  ]);
  evaluate(program, states, {}, { precision });
  return { y: states.get("y") as Values, gradient: states.get("gradient") as Values };
}

describe("activations", () => {
  it("cover every name that a specification may give", () => {
    expect([...NAMES, "Softmax", "GumbelSoftmax"].sort()).toEqual([...ACTIVATIONS].sort());
  });

  it.each(NAMES)("%s agrees with its formula", (name) => {
    const { y } = run((x, inputs) => activate(name, x, inputs), POINTS, "f32");
    POINTS.forEach((x, i) => {
      const expected = FORMULAE[name](x);
      expect(Math.abs((y[i] as number) - expected)).toBeLessThanOrEqual(1e-6 + 1e-6 * Math.abs(expected));
    });
  });

  it.each(NAMES)("%s has the gradient of its formula, finite everywhere", (name) => {
    const { gradient } = run((x, inputs) => activate(name, x, inputs), POINTS, "f32");
    const h = 1e-4;
    POINTS.forEach((x, i) => {
      expect(Number.isFinite(gradient[i])).toBe(true);
      // Where the formula has a corner, either side's slope will do.
      const f = FORMULAE[name];
      const sides = [(f(x + h) - f(x)) / h, (f(x) - f(x - h)) / h, (f(x + h) - f(x - h)) / (2 * h)];
      const errors = sides.map((side) => Math.abs((gradient[i] as number) - side));
      expect(Math.min(...errors)).toBeLessThan(1e-4);
    });
  });

  it.each(NAMES)("%s lets NaN through", (name) => {
    const { y } = run((x, inputs) => activate(name, x, inputs), [Number.NaN, 1], "f32");
    expect(y[0]).toBeNaN();
    expect(y[1]).not.toBeNaN();
  });

  it("computes erf to 1e-6", () => {
    const x = Array.from({ length: 401 }, (_, i) => (i - 200) / 40);
    const { y } = run((t) => erf(t), x, "f32");
    x.forEach((v, i) => {
      expect(Math.abs((y[i] as number) - erf64(v))).toBeLessThan(1e-6);
    });
  });

  it("computes Softmax over the last axis, also of large values, with its gradient", () => {
    const x = [1, 2, 3, -1, 1000, 1001, 999, 0];
    const weights = [0.5, -1, 2, 0.1, 0.3, 1, -0.4, 0.9];
    const shape = [2, 4];
    for (const name of ["Softmax", "GumbelSoftmax"] as const) {
      const f = (t: Tensor) => activate(name, t);
      const { y, gradient } = run(f, x, "f64", { shape, weights });
      for (const start of [0, 4]) {
        const row = x.slice(start, start + 4);
        const total = row.reduce((a, b) => a + Math.exp(b - Math.max(...row)), 0);
        const expected = row.map((v) => Math.exp(v - Math.max(...row)) / total);
        const mean = expected.reduce((a, p, j) => a + p * (weights[start + j] as number), 0);
        expected.forEach((p, j) => {
          expect(y[start + j]).toBeCloseTo(p, 12);
          expect(gradient[start + j]).toBeCloseTo(p * ((weights[start + j] as number) - mean), 12);
        });
      }
    }
  });

  it("says which parameter PReLU misses", () => {
    expect(() => trace("p", () => activate("PReLU", state("x", [2]).read()))).toThrow(/PReLU.*slope/);
  });
});

describe("layers", () => {
  it("multiplies by [in, out] weights, adds the bias, and normalises rows", () => {
    const program = trace("layers", () => {
      const x = state("x", [2, 3]).read();
      const y = linear(x, state("w", [3, 2]).read(), state("b", [2]).read());
      state("y", [2, 2]).write(y);
      state("n", [2, 3]).write(layerNorm(x, state("g", [3]).read(), state("s", [3]).read()));
      state("plain", [2, 3]).write(layerNorm(x));
    });
    const states = new Map<string, Values>([
      ["x", Float64Array.of(1, 2, 3, -1, 0, 4)],
      ["w", Float64Array.of(1, 10, 2, 20, 3, 30)],
      ["b", Float64Array.of(0.5, -0.5)],
      ["g", Float64Array.of(1, 2, 3)],
      ["s", Float64Array.of(0, 0, 1)],
    ]);
    evaluate(program, states, {}, { precision: "f64" });
    expect([...(states.get("y") as Values)]).toEqual([14.5, 139.5, 11.5, 109.5]);
    const unit = 1 / Math.sqrt(2 / 3 + 1e-5);
    const [plain, scaled] = [states.get("plain") as Values, states.get("n") as Values];
    [-unit, 0, unit].forEach((v, i) => {
      expect(plain[i]).toBeCloseTo(v, 12);
      expect(scaled[i]).toBeCloseTo(v * (i + 1) + (i === 2 ? 1 : 0), 12);
    });
  });
});
