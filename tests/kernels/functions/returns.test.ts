import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generalisedAdvantages } from "../../../src/kernels/functions.ts";
import * as k from "../../../src/kernels/index.ts";
import { devices } from "../support/devices.ts";
import { numbers } from "../support/numbers.ts";
import { type Buffers, runOnDevice, runOnReference } from "../support/run.ts";
import { expectSlope, slope } from "../support/slopes.ts";

const [T, N] = [k.sym("T"), k.sym("N")];
const read = (name: string, shape: k.Shape = [T, N]): k.Tensor => k.state(name, shape).read();

const advantages = k.trace("advantages", () => {
  const values = read("values");
  const { advantages, returns } = generalisedAdvantages({
    rewards: read("rewards"),
    values,
    next_values: read("next_values"),
    terminated: read("terminated"),
    done: read("done"),
    gamma: read("gamma", []),
    lambda: read("lambda", []),
  });
  k.state("advantages", [T, N]).write(advantages);
  k.state("returns", [T, N]).write(returns);
  const loss = k.sumAll(k.mul(k.square(advantages), read("weights")));
  k.state("loss").write(loss);
  const [g] = k.grad(loss, [values]);
  k.state("grad.values", [T, N]).write(g as k.Tensor);
});

interface Rollout {
  readonly steps: number;
  readonly lanes: number;
  readonly buffers: Record<string, number[]>;
}

/** Rollouts in which a fifth of the steps end an episode, half of them by a time limit. */
const rollouts: fc.Arbitrary<Rollout> = fc
  .record({
    steps: fc.integer({ min: 1, max: 12 }),
    lanes: fc.integer({ min: 1, max: 9 }),
    seed: fc.nat(9999),
  })
  .map(({ steps, lanes, seed }) => {
    const next = numbers(seed);
    const size = steps * lanes;
    const fill = (value: () => number) => Array.from({ length: size }, () => Math.fround(value()));
    const done = fill(() => (next() < 0.2 ? 1 : 0));
    return {
      steps,
      lanes,
      buffers: {
        rewards: fill(() => 2 * next() - 1),
        values: fill(() => 4 * next() - 2),
        next_values: fill(() => 4 * next() - 2),
        done,
        terminated: done.map((d) => (d === 1 && next() < 0.5 ? 1 : 0)),
        weights: fill(next),
        gamma: [0.9375],
        lambda: [0.875],
      },
    };
  });

const at = (buffer: readonly number[] | undefined, i: number): number => buffer?.[i] ?? Number.NaN;

/** A_t as the sum of discounted deltas up to the end of the episode, by its definition. */
function bruteAdvantage({ steps, lanes, buffers: b }: Rollout, t: number, lane: number): number {
  let [total, weight] = [0, 1];
  for (let s = t; s < steps; s++) {
    const i = s * lanes + lane;
    const bootstrap = at(b.terminated, i) ? 0 : 0.9375 * at(b.next_values, i);
    total += weight * (at(b.rewards, i) + bootstrap - at(b.values, i));
    if (at(b.done, i)) break;
    weight *= 0.9375 * 0.875;
  }
  return total;
}

const expectNear = (found: readonly number[] | undefined, expected: readonly number[]): void => {
  expect(found).toEqual(expected.map((v) => expect.closeTo(v, 4)));
};

describe.each(devices)("generalisedAdvantages on $name", ({ create }) => {
  const run = async (binding: k.Binding, buffers: Buffers) =>
    runOnDevice(await create(), advantages, binding, buffers);

  it("sums discounted deltas up to the end of each lane's episode", async () => {
    const device = await create();
    await fc.assert(
      fc.asyncProperty(rollouts, async (rollout) => {
        const { steps, lanes, buffers } = rollout;
        const found = await runOnDevice(device, advantages, { T: steps, N: lanes }, buffers);
        const expected = Array.from({ length: steps * lanes }, (_, i) =>
          bruteAdvantage(rollout, Math.floor(i / lanes), i % lanes),
        );
        expectNear(found.advantages, expected);
        expectNear(
          found.returns,
          expected.map((a, i) => a + at(buffers.values, i)),
        );
      }),
      { numRuns: 40, seed: 12 },
    );
  });

  it("pays the last reward of two-step episodes back to their first step, and no further", async () => {
    const zeros = [0, 0, 0, 0, 0, 0];
    const { returns } = await run(
      { T: 6, N: 1 },
      {
        rewards: [0, 1, 0, 1, 0, 1],
        values: zeros,
        next_values: zeros,
        terminated: [0, 1, 0, 1, 0, 1],
        done: [0, 1, 0, 1, 0, 1],
        weights: zeros,
        gamma: [0.99],
        lambda: [1],
      },
    );
    expectNear(returns, [0.99, 1, 0.99, 1, 0.99, 1]);
  });

  it("bootstraps where a time limit ended the episode, and not where the task did", async () => {
    const { returns } = await run(
      { T: 1, N: 3 },
      {
        rewards: [1, 1, 1],
        values: [5, 5, 5],
        next_values: [10, 10, 10],
        terminated: [0, 0, 1],
        done: [0, 1, 1],
        weights: [0, 0, 0],
        gamma: [0.5],
        lambda: [0.9],
      },
    );
    expectNear(returns, [6, 6, 1]);
  });

  it("is the one-step error for lambda 0 and the Monte Carlo return for lambda 1", async () => {
    const buffers = {
      rewards: [1, 2, 3],
      values: [0.5, -1, 2],
      next_values: [-1, 2, 4],
      terminated: [0, 0, 0],
      done: [0, 0, 0],
      weights: [0, 0, 0],
      gamma: [0.5],
    };
    const oneStep = await run({ T: 3, N: 1 }, { ...buffers, lambda: [0] });
    expectNear(oneStep.returns, [1 - 0.5, 2 + 1, 3 + 2]);
    const monteCarlo = await run({ T: 3, N: 1 }, { ...buffers, lambda: [1] });
    expectNear(monteCarlo.returns, [1 + 1 + 0.75 + 0.5, 2 + 1.5 + 1, 3 + 2]);
  });
});

it("gradients of advantages are their slopes", () => {
  fc.assert(
    fc.property(rollouts, ({ steps, lanes, buffers }) => {
      const binding = { T: steps, N: lanes };
      const { "grad.values": found } = runOnReference(advantages, binding, buffers, { precision: "f64" });
      for (let i = 0; i < steps * lanes; i += 7)
        expectSlope(at(found, i), slope(advantages, binding, buffers, "values", i), `values[${i}]`);
    }),
    { numRuns: 10, seed: 13 },
  );
});
