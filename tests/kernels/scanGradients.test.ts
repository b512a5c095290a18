/** The reverse rule of scan against finite differences, one feature at a time. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as k from "../../src/kernels/index.ts";
import { devices } from "./support/devices.ts";
import { numbers } from "./support/numbers.ts";
import { type Buffers, runOnDevice, runOnReference } from "./support/run.ts";
import { expectSlope, slope } from "./support/slopes.ts";

const [T, N] = [k.sym("T"), k.sym("N")];

/** Inputs of every case: carried vectors, stacked rows, and parameters from outside. */
const SHAPES = { c: [N], d: [N], xs: [T, N], w: [N], m: [N, N] } as const;
type Inputs = Record<keyof typeof SHAPES, k.Tensor>;

const only = (tensors: readonly k.Tensor[], i = 0): k.Tensor => {
  const t = tensors[i];
  if (!t) throw new RangeError(`no tensor ${i}`);
  return t;
};
const step = (h: k.Tensor, x: k.Tensor, w: k.Tensor): k.Tensor => k.tanh(k.add(k.mul(h, w), x));

const CASES: Record<string, (inputs: Inputs) => readonly k.Tensor[]> = {
  "a carried value": ({ c, w }) =>
    k.scan({ count: T, carry: [c] }, ([h]) => ({ carry: [k.tanh(k.mul(h as k.Tensor, w))] })).carry,
  "stacked inputs": ({ c, xs }) =>
    k.scan({ count: T, carry: [c], xs: [xs] }, ([h], [x]) => ({
      carry: [k.mul(k.add(h as k.Tensor, x as k.Tensor), 0.9)],
    })).carry,
  "stacked outputs alone": ({ xs, w }) =>
    k.scan({ count: T, carry: [], xs: [xs] }, (_c, [x]) => ({
      carry: [],
      ys: [k.mul(k.square(x as k.Tensor), w)],
    })).ys,
  "carry, inputs, outputs and a captured matrix": ({ c, xs, m }) => {
    const { carry, ys } = k.scan({ count: T, carry: [c], xs: [xs] }, ([h], [x]) => {
      const mixed = k.reshape(k.matmul(k.reshape(h as k.Tensor, [1, N]), m), [N]);
      const next = k.tanh(k.add(mixed, x as k.Tensor));
      return { carry: [next], ys: [k.sum(k.mul(next, h as k.Tensor))] };
    });
    return [...carry, ...ys];
  },
  "from the last row to the first": ({ c, xs, w }) => {
    const { carry, ys } = k.scan({ count: T, carry: [c], xs: [xs], reverse: true }, ([h], [x]) => {
      const next = step(h as k.Tensor, x as k.Tensor, w);
      return { carry: [next], ys: [next] };
    });
    return [...carry, ...ys];
  },
  "carried values that change places": ({ c, d, w }) =>
    k.scan({ count: T, carry: [c, d] }, ([p, q]) => ({
      carry: [k.mul(q as k.Tensor, w), k.tanh(p as k.Tensor)],
    })).carry,
  "a captured value made from another captured value": ({ c, w }) => {
    const made = k.square(w);
    return k.scan({ count: T, carry: [c] }, ([h]) => ({
      carry: [k.tanh(k.add(k.mul(h as k.Tensor, w), made))],
    })).carry;
  },
  "an outer value returned as it is": ({ c, w }) => {
    const { carry, ys } = k.scan({ count: T, carry: [c] }, ([h]) => ({ carry: [w], ys: [w, h as k.Tensor] }));
    return [...carry, ...ys];
  },
  "the carried value, captured as well": ({ c, xs }) =>
    k.scan({ count: T, carry: [c], xs: [xs] }, ([h], [x]) => ({
      carry: [step(h as k.Tensor, x as k.Tensor, c)],
    })).carry,
  "the stacked input, captured as well": ({ c, xs }) =>
    k.scan({ count: T, carry: [c], xs: [xs] }, ([h], [x]) => ({
      carry: [k.tanh(k.add(k.mul(h as k.Tensor, x as k.Tensor), k.sum(xs, 0)))],
    })).carry,
  "the number of the iteration": ({ c, w }) =>
    k.scan({ count: T, carry: [c] }, ([h], _x, t) => ({
      carry: [k.tanh(k.add(h as k.Tensor, k.mul(w, k.cast(t, "f32"))))],
    })).carry,
  "integers carried beside": ({ c, m }) =>
    k
      .scan({ count: T, carry: [c, k.zeros([1], "i32")] }, ([h, i]) => {
        const row = k.reshape(k.takeRows(m, i as k.Tensor), [N]);
        const next = k.minimum(k.add(i as k.Tensor, 1), k.sub(k.dimValue(N, "i32"), 1));
        return { carry: [k.tanh(k.add(h as k.Tensor, row)), next] };
      })
      .carry.slice(0, 1),
  "a scan in a scan": ({ c, xs, w, m }) =>
    k.scan({ count: T, carry: [c], xs: [xs] }, ([h], [x]) => {
      const inner = k.scan({ count: N, carry: [h as k.Tensor], xs: [m], reverse: true }, ([g], [row]) => ({
        carry: [k.tanh(k.add(k.mul(g as k.Tensor, w), k.mul(row as k.Tensor, x as k.Tensor)))],
      }));
      return { carry: [k.mul(only(inner.carry), 0.8)], ys: [only(inner.carry)] };
    }).carry,
  "a scan over another's outputs": ({ c, xs, w }) => {
    const first = k.scan({ count: T, carry: [c], xs: [xs] }, ([h], [x]) => {
      const next = step(h as k.Tensor, x as k.Tensor, w);
      return { carry: [next], ys: [next] };
    });
    return k.scan({ count: T, carry: first.carry, xs: first.ys, reverse: true }, ([h], [y]) => ({
      carry: [k.mul(k.add(h as k.Tensor, y as k.Tensor), w)],
    })).carry;
  },
};

const names = Object.keys(SHAPES) as (keyof typeof SHAPES)[];

const lossProgram = (body: (inputs: Inputs) => readonly k.Tensor[]): k.Program =>
  k.trace("scan", () => {
    const inputs = Object.fromEntries(
      names.map((name) => [name, k.state(name, SHAPES[name]).read()]),
    ) as Inputs;
    const loss = body(inputs)
      .map((y, i) => k.sumAll(k.mul(k.square(y), 1 + 0.3 * i)))
      .reduce((p, q) => k.add(p, q));
    k.state("loss").write(loss);
    const targets = names.map((name) => inputs[name]);
    k.grad(loss, targets).forEach((g, i) => {
      const name = names[i] as (typeof names)[number];
      k.state(`grad.${name}`, SHAPES[name]).write(g);
    });
  });

const contents = (steps: number, size: number, seed: number): Buffers => {
  const next = numbers(seed);
  const fill = (length: number) => Array.from({ length }, () => Math.fround(1.6 * next() - 0.8));
  return { c: fill(size), d: fill(size), xs: fill(steps * size), w: fill(size), m: fill(size * size) };
};

const sizes = fc.record({ T: fc.integer({ min: 1, max: 6 }), N: fc.integer({ min: 1, max: 6 }) });

describe("the gradient of a scan is its slope:", () => {
  it.each(Object.entries(CASES))("%s", async (_what, body) => {
    const program = lossProgram(body);
    const device = await devices[0]?.create();
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(999), async (binding, seed) => {
        const at = contents(binding.T, binding.N, seed);
        const after = runOnReference(program, binding, at, { precision: "f64" });
        for (const name of names) {
          const gradient = after[`grad.${name}`] ?? [];
          for (let i = seed % 3; i < gradient.length; i += 3)
            expectSlope(gradient[i], slope(program, binding, at, name, i), `${name}[${i}]`);
        }
        if (!device) return;
        const found = await runOnDevice(device, program, binding, at);
        for (const name of names) {
          const [f, e] = [found[`grad.${name}`] ?? [], after[`grad.${name}`] ?? []];
          expect(f).toEqual(e.map((v) => expect.closeTo(v, 3)));
        }
      }),
      { numRuns: 6, seed: 22 },
    );
  });
});

describe.each(devices)("gradients inside a loop on $name", ({ create }) => {
  it("descend: each iteration differentiates at the parameters it finds", async () => {
    const program = k.trace("descent", () => {
      const w = k.state("w", [N]);
      k.scan({ count: T, carry: [] }, () => {
        const value = w.read();
        const [g] = k.grad(k.sumAll(k.square(k.sub(value, 3))), [value]);
        w.write(k.sub(value, k.mul(g as k.Tensor, 0.125)));
        return { carry: [] };
      });
    });
    const { w } = await runOnDevice(await create(), program, { T: 5, N: 3 }, { w: [0, 1, 7] });
    // (w - 3) shrinks by 1 - 2 / 8 in each step.
    expect(w).toEqual([0, 1, 7].map((v) => expect.closeTo(3 + (v - 3) * 0.75 ** 5, 5)));
  });

  it("go through a scan inside, with outer values it captures", async () => {
    const program = k.trace("unrolled", () => {
      const w = k.state("w");
      k.scan({ count: 3, carry: [] }, () => {
        const value = w.read();
        // loss = w^(T + 1), so its slope is (T + 1) w^T.
        const { carry } = k.scan({ count: T, carry: [value] }, ([c]) => ({
          carry: [k.mul(c as k.Tensor, value)],
        }));
        const [g] = k.grad(only(carry), [value]);
        k.state("g").write(g as k.Tensor);
        w.write(k.add(value, 1));
        return { carry: [] };
      });
    });
    const { g, w } = await runOnDevice(await create(), program, { T: 3 }, { w: [1] });
    expect([g, w]).toEqual([[4 * 27], [4]]);
  });

  it("of gradients: second derivatives through a scan", async () => {
    const program = k.trace("curvature", () => {
      const x = k.state("x").read();
      const { carry } = k.scan({ count: 2, carry: [x] }, ([c]) => ({ carry: [k.mul(c as k.Tensor, x)] }));
      const [first] = k.grad(only(carry), [x]);
      const [second] = k.grad(first as k.Tensor, [x]);
      k.state("first").write(first as k.Tensor);
      k.state("second").write(second as k.Tensor);
    });
    const { first, second } = await runOnDevice(await create(), program, {}, { x: [5] });
    expect([first, second]).toEqual([[75], [30]]);
  });
});
