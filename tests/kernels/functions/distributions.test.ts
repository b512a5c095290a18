import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bernoulli,
  categorical,
  multiCategorical,
  normal,
  squashedNormal,
} from "../../../src/kernels/functions.ts";
import * as k from "../../../src/kernels/index.ts";
import { devices } from "../support/devices.ts";
import { numbers } from "../support/numbers.ts";
import { type Buffers, runOnDevice, runOnReference } from "../support/run.ts";
import { expectSlope, slope } from "../support/slopes.ts";

const [N, A] = [k.sym("N"), k.sym("A")];
const binding = (lanes: number, actions: number): k.Binding => ({ N: lanes, A: actions });
const read = (name: string, shape: k.Shape = [N, A]): k.Tensor => k.state(name, shape).read();
const write = (name: string, value: k.Tensor): void =>
  k.state(name, value.shape, { dtype: value.dtype }).write(value);

/** Writes `loss` = sum(value . weights) and its gradients to `grad.<name>`. */
function differentiate(value: k.Tensor, parameters: Record<string, k.Tensor>): void {
  const loss = k.sumAll(k.mul(value, read("weights", [N])));
  write("loss", loss);
  const names = Object.keys(parameters);
  k.grad(loss, Object.values(parameters)).forEach((g, i) => write(`grad.${names[i]}`, g));
}

const choice = k.trace("categorical", () => {
  const logits = read("logits");
  const policy = categorical(logits, read("mask"));
  write("log_probs", policy.log_probs);
  write("mode", policy.mode());
  write("sample", policy.sample(read("uniform", [N])));
  const log_prob = policy.logProb(k.state("action", [N], { dtype: "i32" }).read());
  const entropy = policy.entropy();
  write("log_prob", log_prob);
  write("entropy", entropy);
  differentiate(k.add(log_prob, k.mul(entropy, 0.7)), { logits });
});

const NVEC = [2, 1, 4];
const several = k.trace("multiCategorical", () => {
  const logits = read("logits", [N, 7]);
  const policy = multiCategorical(logits, NVEC, read("mask", [N, 7]));
  write("mode", policy.mode());
  write("sample", policy.sample(NVEC.map((_, i) => k.column(read("uniform", [N, 3]), i))));
  const log_prob = policy.logProb(k.state("action", [N, 3], { dtype: "i32" }).read());
  const entropy = policy.entropy();
  write("log_prob", log_prob);
  write("entropy", entropy);
  differentiate(k.add(log_prob, k.mul(entropy, 0.7)), { logits });
});

const bits = k.trace("bernoulli", () => {
  const logits = read("logits", [N, 3]);
  const policy = bernoulli(logits, read("mask", [N, 3]));
  write("mode", policy.mode());
  write("sample", policy.sample([0, 1, 2].map((i) => k.column(read("uniform", [N, 3]), i))));
  const log_prob = policy.logProb(k.state("action", [N, 3], { dtype: "i32" }).read());
  const entropy = policy.entropy();
  write("log_prob", log_prob);
  write("entropy", entropy);
  differentiate(k.add(log_prob, k.mul(entropy, 0.7)), { logits });
});

const gaussian = k.trace("normal", () => {
  const [mean, log_std] = [read("mean"), read("log_std", [A])];
  const policy = normal(mean, log_std);
  write("mode", policy.mode());
  write("sample", policy.sample(read("noise")));
  write("log_prob", policy.logProb(read("action")));
  write("entropy", policy.entropy());
  differentiate(k.add(policy.logProb(read("action")), k.mul(policy.entropy(), 0.7)), { mean, log_std });
});

const squashed = k.trace("squashedNormal", () => {
  const [mean, log_std] = [read("mean"), read("log_std", [A])];
  const policy = squashedNormal(mean, log_std);
  write("mode", policy.mode());
  write("sample", policy.sample(read("noise")));
  write("log_prob", policy.logProb(read("action")));
  differentiate(policy.logProb(read("action")), { mean, log_std });
});

const rows = (values: readonly number[] | undefined, width: number): number[][] =>
  Array.from(
    { length: (values?.length ?? 0) / width },
    (_, i) => values?.slice(i * width, (i + 1) * width) ?? [],
  );

const sum = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0);

const at = (buffers: Buffers, name: string, i: number): number => buffers[name]?.[i] ?? Number.NaN;

interface Case {
  readonly lanes: number;
  readonly actions: number;
  readonly buffers: Record<string, number[]>;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    lanes: fc.integer({ min: 1, max: 7 }),
    actions: fc.integer({ min: 1, max: 9 }),
    seed: fc.nat(9999),
  })
  .map(({ lanes, actions, seed }) => {
    const next = numbers(seed);
    const fill = (size: number, value: () => number) =>
      Array.from({ length: size }, () => Math.fround(value()));
    const legal = fill(lanes, () => Math.floor(next() * actions));
    return {
      lanes,
      actions,
      buffers: {
        logits: fill(lanes * actions, () => 8 * next() - 4),
        mask: fill(lanes * actions, () => (next() < 0.7 ? 1 : 0)).map((m, i) =>
          i % actions === legal[Math.floor(i / actions)] ? 1 : m,
        ),
        uniform: fill(lanes, next),
        action: legal,
        weights: fill(lanes, () => 0.5 + next()),
      },
    };
  });

/** Probabilities of the legal choices by the definition. */
function probabilities({ actions, buffers }: Case): number[][] {
  const masks = rows(buffers.mask, actions);
  return rows(buffers.logits, actions).map((logits, i) => {
    const powers = logits.map((z, j) => (masks[i]?.[j] ? Math.exp(z) : 0));
    return powers.map((p) => p / sum(powers));
  });
}

describe.each(devices)("categorical on $name", ({ create }) => {
  it("has the probabilities of the legal logits", async () => {
    const device = await create();
    await fc.assert(
      fc.asyncProperty(cases, async (c) => {
        const found = await runOnDevice(device, choice, binding(c.lanes, c.actions), c.buffers);
        probabilities(c).forEach((p, i) => {
          const logs = rows(found.log_probs, c.actions)[i] ?? [];
          expect(logs.map(Math.exp)).toEqual(p.map((v) => expect.closeTo(v, 5)));
          const action = c.buffers.action?.[i] ?? 0;
          expect(found.log_prob?.[i]).toBeCloseTo(Math.log(p[action] ?? 0), 4);
          expect(found.entropy?.[i]).toBeCloseTo(-sum(p.map((v) => (v > 0 ? v * Math.log(v) : 0))), 4);
          expect(found.mode?.[i]).toBe(p.indexOf(Math.max(...p)));
        });
      }),
      { numRuns: 60, seed: 15 },
    );
  });

  it("draws the choice whose share of [0, 1) holds the number", async () => {
    const device = await create();
    await fc.assert(
      fc.asyncProperty(cases, async (c) => {
        const found = await runOnDevice(device, choice, binding(c.lanes, c.actions), c.buffers);
        probabilities(c).forEach((p, i) => {
          const u = c.buffers.uniform?.[i] ?? 0;
          const drawn = found.sample?.[i] ?? Number.NaN;
          expect(sum(p.slice(0, drawn))).toBeLessThan(u + 1e-6);
          expect(sum(p.slice(0, drawn + 1))).toBeGreaterThan(u - 1e-6);
          expect(c.buffers.mask?.[i * c.actions + drawn]).toBe(1);
        });
      }),
      { numRuns: 60, seed: 16 },
    );
  });

  it("draws legal choices with their frequencies, also from the ends of the interval", async () => {
    const device = await create();
    const next = numbers(17);
    const lanes = 20_000;
    const logits = [0.3, 5, -1, 0.9, 2];
    const mask = [1, 0, 1, 1, 0];
    const each = <T>(row: readonly T[]): T[] => Array.from({ length: lanes }, () => row).flat();
    const largest = 1 - 2 ** -24;
    const ends = [0, 2 ** -24, largest, largest - 2 ** -24, largest - 2 ** -23];
    const uniform = Array.from({ length: lanes }, (_, i) => ends[i] ?? Math.fround(next()) % 1);
    const { sample } = await runOnDevice(device, choice, binding(lanes, 5), {
      logits: each(logits),
      mask: each(mask),
      uniform,
    });
    const counts = [0, 1, 2, 3, 4].map((j) => sample?.filter((s) => s === j).length ?? 0);
    const powers = logits.map((z, j) => (mask[j] ? Math.exp(z) : 0));
    const expected = powers.map((p) => (lanes * p) / sum(powers));
    expect([counts[1], counts[4], sum(counts)]).toEqual([0, 0, lanes]);
    const chiSquare = sum(
      [0, 2, 3].map((j) => ((counts[j] ?? 0) - (expected[j] ?? 0)) ** 2 / (expected[j] ?? 1)),
    );
    // 99.9th percentile of chi-square with 2 degrees of freedom.
    expect(chiSquare).toBeLessThan(13.8);
  });

  it("never draws an illegal last choice, however the probabilities round", async () => {
    const device = await create();
    const next = numbers(18);
    const lanes = 3000;
    const logits = Array.from({ length: lanes * 6 }, () => Math.fround(6 * next() - 3));
    const { sample } = await runOnDevice(device, choice, binding(lanes, 6), {
      logits,
      mask: Array.from({ length: lanes * 6 }, (_, i) => (i % 6 < 4 ? 1 : 0)),
      uniform: new Array<number>(lanes).fill(1 - 2 ** -24),
    });
    expect(new Set(sample)).toEqual(new Set([3]));
  });

  it("stays finite for logits far apart and for a single choice", async () => {
    const device = await create();
    const wide = await runOnDevice(device, choice, binding(1, 3), {
      logits: [-1e4, 0, 1e4],
      mask: [1, 1, 1],
      uniform: [0.5],
      action: [2],
      weights: [1],
    });
    const plain = (values: readonly number[] | undefined) => values?.map((v) => v + 0);
    expect([wide.sample, wide.log_prob, wide.entropy, wide.mode].map(plain)).toEqual([[2], [0], [0], [2]]);
    expect(wide["grad.logits"]?.every(Number.isFinite)).toBe(true);
    const single = await runOnDevice(device, choice, binding(1, 1), {
      logits: [3],
      mask: [1],
      uniform: [0.9],
      action: [0],
    });
    expect([single.sample, single.log_prob, single.entropy].map(plain)).toEqual([[0], [0], [0]]);
  });
});

/** Several numbers at once: 2, 1 and 4 choices, or three bits. */
const manyOf = (width: number, legalAt: (row: readonly number[]) => number[]): fc.Arbitrary<Case> =>
  fc.record({ lanes: fc.integer({ min: 1, max: 6 }), seed: fc.nat(9999) }).map(({ lanes, seed }) => {
    const next = numbers(seed);
    const fill = (size: number, value: () => number) =>
      Array.from({ length: size }, () => Math.fround(value()));
    const masks = Array.from({ length: lanes }, () => legalAt(fill(width, () => (next() < 0.7 ? 1 : 0))));
    return {
      lanes,
      actions: width,
      buffers: {
        logits: fill(lanes * width, () => 8 * next() - 4),
        mask: masks.flat(),
        uniform: fill(lanes * 3, next),
        action: masks.flatMap((mask) =>
          width === 3 ? mask : [mask[0] === 1 ? 0 : 1, 0, mask.indexOf(1, 3) - 3],
        ),
        weights: fill(lanes, () => 0.5 + next()),
      },
    };
  });
const choicesCases = manyOf(7, (row) => row.map((m, i) => (i === 1 || i === 2 || i === 5 ? 1 : m)));
const bitsCases = manyOf(3, (row) => [...row]);

/** Chances of each choice of each number, by the definition. */
function chances({ lanes, buffers }: Case, sizes: readonly number[]): number[][][] {
  const width = sum(sizes);
  return Array.from({ length: lanes }, (_, lane) => {
    let start = lane * width;
    return sizes.map((size) => {
      const powers = Array.from({ length: size }, (_, j) =>
        at(buffers, "mask", start + j) ? Math.exp(at(buffers, "logits", start + j)) : 0,
      );
      start += size;
      return powers.map((p) => p / sum(powers));
    });
  });
}

/** Chances of 0 and 1 of each bit. */
const bitChances = ({ lanes, buffers }: Case): number[][][] =>
  Array.from({ length: lanes }, (_, lane) =>
    [0, 1, 2].map((j) => {
      const p = at(buffers, "mask", 3 * lane + j) / (1 + Math.exp(-at(buffers, "logits", 3 * lane + j)));
      return [1 - p, p];
    }),
  );

describe.each(devices)("several numbers at once on $name", ({ create }) => {
  it.each([
    ["multiCategorical", several, choicesCases, (c: Case) => chances(c, NVEC)],
    ["bernoulli", bits, bitsCases, bitChances],
  ] as const)("%s is its numbers, each by itself", async (name, program, arbitrary, chancesOf) => {
    const device = await create();
    await fc.assert(
      fc.asyncProperty(arbitrary, async (c) => {
        const found = await runOnDevice(device, program, { N: c.lanes }, c.buffers);
        chancesOf(c).forEach((parts, lane) => {
          const place = (i: number) => 3 * lane + i;
          const log = (p: number) => (p > 0 ? p * Math.log(p) : 0);
          const density = parts.map((p, i) => Math.log(p[at(c.buffers, "action", place(i))] ?? 0));
          expect(found.log_prob?.[lane]).toBeCloseTo(sum(density), 4);
          expect(found.entropy?.[lane]).toBeCloseTo(-sum(parts.flat().map(log)), 4);
          parts.forEach((p, i) => {
            expect(found.mode?.[place(i)]).toBe(p.indexOf(Math.max(...p)));
            const drawn = at(found, "sample", place(i));
            // A bit is 1 for numbers below its chance, a choice falls where the number lies in the sum of chances.
            const [before, upTo] =
              name === "bernoulli"
                ? drawn === 1
                  ? [0, p[1] ?? Number.NaN]
                  : [p[1] ?? Number.NaN, 1]
                : [sum(p.slice(0, drawn)), sum(p.slice(0, drawn + 1))];
            const u = at(c.buffers, "uniform", place(i));
            expect(before).toBeLessThan(u + 1e-6);
            expect(upTo).toBeGreaterThan(u - 1e-6);
            expect(p[drawn]).toBeGreaterThan(0);
          });
        });
      }),
      { numRuns: 40, seed: 22 },
    );
  });
});

/** log density of a normal number. */
const logDensity = (x: number, mean: number, log_std: number): number =>
  -0.5 * ((x - mean) / Math.exp(log_std)) ** 2 - log_std - 0.5 * Math.log(2 * Math.PI);

const continuous: fc.Arbitrary<Case> = cases.map(({ lanes, actions }) => {
  const next = numbers(lanes * 100 + actions);
  const fill = (size: number, value: () => number) =>
    Array.from({ length: size }, () => Math.fround(value()));
  return {
    lanes,
    actions,
    buffers: {
      mean: fill(lanes * actions, () => 2 * next() - 1),
      log_std: fill(actions, () => 2 * next() - 1.5),
      noise: fill(lanes * actions, () => 4 * next() - 2),
      action: fill(lanes * actions, () => 1.8 * next() - 0.9),
      weights: fill(lanes, () => 0.5 + next()),
    },
  };
});

describe.each(devices)("normal on $name", ({ create }) => {
  it("has the density, the draws and the entropy of independent Gaussians", async () => {
    const device = await create();
    await fc.assert(
      fc.asyncProperty(continuous, async ({ lanes, actions, buffers: b }) => {
        const found = await runOnDevice(device, gaussian, binding(lanes, actions), b);
        const entropy = sum((b.log_std ?? []).map((s) => s + 0.5 * Math.log(2 * Math.PI * Math.E)));
        for (let i = 0; i < lanes; i++) {
          const own = Array.from({ length: actions }, (_, j) => i * actions + j);
          const density = own.map((p, j) =>
            logDensity(at(b, "action", p), at(b, "mean", p), at(b, "log_std", j)),
          );
          const error = Math.abs(at(found, "log_prob", i) - sum(density));
          expect(error).toBeLessThan(1e-5 * Math.max(1, Math.abs(sum(density))));
          expect(at(found, "entropy", i)).toBeCloseTo(entropy, 4);
          own.forEach((p, j) => {
            const draw = at(b, "mean", p) + Math.exp(at(b, "log_std", j)) * at(b, "noise", p);
            expect(at(found, "sample", p)).toBeCloseTo(draw, 5);
          });
        }
        expect(found.mode).toEqual(b.mean);
      }),
      { numRuns: 40, seed: 19 },
    );
  });
});

describe.each(devices)("squashedNormal on $name", ({ create }) => {
  it("has the density of tanh of a Gaussian, with its Jacobian", async () => {
    const device = await create();
    await fc.assert(
      fc.asyncProperty(continuous, async ({ lanes, actions, buffers: b }) => {
        const found = await runOnDevice(device, squashed, binding(lanes, actions), b);
        for (let i = 0; i < lanes; i++) {
          const density = Array.from({ length: actions }, (_, j) => {
            const [p, a] = [i * actions + j, at(b, "action", i * actions + j)];
            return logDensity(Math.atanh(a), at(b, "mean", p), at(b, "log_std", j)) - Math.log(1 - a * a);
          });
          const error = Math.abs(at(found, "log_prob", i) - sum(density));
          expect(error).toBeLessThan(1e-4 * Math.max(1, Math.abs(sum(density))));
        }
        expect(found.sample?.every((a) => Math.abs(a) <= 1)).toBe(true);
        expect(found.mode).toEqual((b.mean ?? []).map((m) => expect.closeTo(Math.tanh(m), 5)));
      }),
      { numRuns: 40, seed: 20 },
    );
  });

  it("integrates to 1 over its interval", async () => {
    const device = await create();
    const points = 4000;
    // The middles of equal parts of (-1, 1).
    const action = Array.from({ length: points }, (_, i) => -1 + (2 * i + 1) / points);
    const { log_prob } = await runOnDevice(device, squashed, binding(points, 1), {
      mean: new Array<number>(points).fill(0.4),
      log_std: [-0.7],
      action,
    });
    expect(sum((log_prob ?? []).map(Math.exp)) * (2 / points)).toBeCloseTo(1, 3);
  });

  it("has this density up to the last 32-bit floats inside, which also stand for the ends", async () => {
    const device = await create();
    const last = 1 - 2 ** -24;
    const action = [1e-6, 3e-7, 2 ** -23, 2 ** -24].flatMap((gap) => [1 - gap, gap - 1]).map(Math.fround);
    const given = [...action, 1, -1];
    const mean = given.map((a) => 6 * Math.sign(a));
    const { log_prob } = await runOnDevice(device, squashed, binding(given.length, 1), {
      mean,
      log_std: [0.3],
      action: given,
    });
    const exact = [...action, last, -last].map(
      (a, i) => logDensity(Math.atanh(a), mean[i] ?? 0, 0.3) - Math.log(1 - a * a),
    );
    expect(log_prob).toEqual(exact.map((density) => expect.closeTo(density, 3)));
  });

  it("stays finite at the ends, where tanh has rounded to 1", async () => {
    const found = await runOnDevice(await create(), squashed, binding(2, 2), {
      mean: [0, 1, -30, 30],
      log_std: [0, -1],
      noise: [50, -50, 3, 3],
      action: [1, -1, 1, -1],
      weights: [1, 1],
    });
    for (const name of ["sample", "log_prob", "grad.mean", "grad.log_std"])
      expect(found[name]?.every(Number.isFinite), `${name} is finite`).toBe(true);
  });
});

describe("gradients of densities and entropies are their slopes", () => {
  it.each([
    ["categorical", choice, cases, ["logits"]],
    ["multiCategorical", several, choicesCases, ["logits"]],
    ["bernoulli", bits, bitsCases, ["logits"]],
    ["normal", gaussian, continuous, ["mean", "log_std"]],
    ["squashedNormal", squashed, continuous, ["mean", "log_std"]],
  ] as const)("%s", (_name, program, arbitrary, parameters) => {
    fc.assert(
      fc.property(arbitrary, ({ lanes, actions, buffers }) => {
        const sizes = binding(lanes, actions);
        const after = runOnReference(program, sizes, buffers, { precision: "f64" });
        for (const name of parameters) {
          const gradient = after[`grad.${name}`] ?? [];
          for (let i = 0; i < gradient.length; i += 5)
            expectSlope(gradient[i], slope(program, sizes, buffers, name, i), `${name}[${i}]`);
        }
      }),
      { numRuns: 12, seed: 21 },
    );
  });
});
