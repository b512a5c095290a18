import { describe, expect, it } from "vitest";
import { WasmDevice } from "../../../src/kernels/devices.ts";
import { adam, clipByGlobalNorm, globalNorm, polyak, type Update } from "../../../src/kernels/functions.ts";
import { type Binding, type Program, rmsProp, sgd, state, sym, trace } from "../../../src/kernels/index.ts";

const N = 7;
const n = sym("n");
const binding: Binding = { n: N };

const start = Float32Array.from({ length: N }, (_, i) => 0.5 - 0.2 * i);
/** The gradient that step t sees, whatever the parameters. */
const gradientAt = (t: number) =>
  Float32Array.from({ length: N }, (_, i) => ((i * 7 + t * 5) % 11) / 10 - 0.4);

function update(): Update {
  const parameter = state("p", [n]);
  return { parameter, value: parameter.read(), gradient: state("g", [n]).read() };
}

/** Parameters after some steps on the wasm device. */
function run(
  program: Program,
  steps: number,
  set: Readonly<Record<string, readonly number[]>> = {},
): number[] {
  const device = new WasmDevice();
  const arena = device.arena(program.states.values(), binding);
  arena.write("p", start);
  for (const [name, values] of Object.entries(set)) arena.write(name, values);
  const bound = device.compile(program).bind(arena);
  for (let t = 0; t < steps; t++) {
    arena.write("g", gradientAt(t));
    bound.run();
  }
  return [...arena.read("p")];
}

/** The same by a plain rule: f(parameter, gradient, step from 1, memory of the element). */
function expected(
  steps: number,
  rule: (p: number, g: number, t: number, memory: number[]) => number,
): number[] {
  return [...start].map((p0, i) => {
    const memory = [0, 0];
    let p = p0;
    for (let t = 0; t < steps; t++) p = rule(p, gradientAt(t)[i] as number, t + 1, memory);
    return p;
  });
}

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  found.forEach((value, i) => expect(value).toBeCloseTo(wanted[i] as number, 5));
}

const POWERS = { "o.beta1_power": [1], "o.beta2_power": [1] };

describe("optimisers", () => {
  const adamRule = (lr: number, decay: number) => (p: number, g: number, t: number, memory: number[]) => {
    memory[0] = 0.9 * (memory[0] as number) + 0.1 * g;
    memory[1] = 0.999 * (memory[1] as number) + 0.001 * g * g;
    const m = memory[0] / (1 - 0.9 ** t);
    const v = memory[1] / (1 - 0.999 ** t);
    return p * (1 - lr * decay) - (lr * m) / (Math.sqrt(v) + 1e-8);
  };

  it("adam follows Kingma and Ba's algorithm 1", () => {
    const program = trace("adam", () => adam("o", [update()], { lr: 0.01 }));
    expectClose(run(program, 25, POWERS), expected(25, adamRule(0.01, 0)));
  });

  it("adam reads a learning rate that is data", () => {
    const program = trace("adam", () => adam("o", [update()], { lr: state("lr").read() }));
    expectClose(run(program, 10, { ...POWERS, lr: [0.03] }), expected(10, adamRule(0.03, 0)));
  });

  it("adamW decays the weights beside the gradient", () => {
    const program = trace("adamw", () => adam("o", [update()], { lr: 0.01, weightDecay: 0.1 }));
    expectClose(run(program, 25, POWERS), expected(25, adamRule(0.01, 0.1)));
  });

  it("sgd steps along the gradient, with momentum when asked", () => {
    const plain = trace("sgd", () => sgd("o", [update()], { lr: 0.1 }));
    expectClose(
      run(plain, 10),
      expected(10, (p, g) => p - 0.1 * g),
    );
    const heavy = trace("momentum", () => sgd("o", [update()], { lr: 0.1, momentum: 0.9 }));
    const rule = (p: number, g: number, _t: number, memory: number[]) => {
      memory[0] = 0.9 * (memory[0] as number) + g;
      return p - 0.1 * memory[0];
    };
    expectClose(run(heavy, 10), expected(10, rule));
  });

  it("rmsProp divides by the running size of the gradient", () => {
    const program = trace("rmsprop", () => rmsProp("o", [update()], { lr: 0.01 }));
    const rule = (p: number, g: number, _t: number, memory: number[]) => {
      memory[0] = 0.99 * (memory[0] as number) + 0.01 * g * g;
      return p - (0.01 * g) / (Math.sqrt(memory[0]) + 1e-8);
    };
    expectClose(run(program, 25), expected(25, rule));
  });
});

describe("clipping and averaging", () => {
  it("scales gradients together to the limit, and leaves small ones alone", () => {
    const program = trace("clip", () => {
      const [a, b] = [state("a", [n]).read(), state("b", [n]).read()];
      const clipped = clipByGlobalNorm([a, b], state("limit").read());
      clipped.forEach((g, i) => state(`clipped${i}`, [n]).write(g));
      state("norm").write(globalNorm(clipped));
    });
    const device = new WasmDevice();
    const arena = device.arena(program.states.values(), binding);
    const bound = device.compile(program).bind(arena);
    arena.write("a", gradientAt(1));
    arena.write("b", gradientAt(2));
    const norm = Math.hypot(...gradientAt(1), ...gradientAt(2));
    arena.write("limit", [norm / 4]);
    bound.run();
    expect(arena.read("norm")[0]).toBeCloseTo(norm / 4, 5);
    expect(arena.read("clipped0")[3]).toBeCloseTo((gradientAt(1)[3] as number) / 4, 5);
    arena.write("limit", [norm * 2]);
    bound.run();
    expect([...arena.read("clipped1")]).toEqual([...gradientAt(2)]);
  });

  it("moves a target by tau of the way", () => {
    const program = trace("polyak", () =>
      polyak([{ target: state("p", [n]), online: state("g", [n]).read() }], 0.25),
    );
    expectClose(
      run(program, 1),
      [...start].map((p, i) => p + 0.25 * ((gradientAt(0)[i] as number) - p)),
    );
  });
});
