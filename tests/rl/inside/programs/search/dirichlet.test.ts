import { expect, test } from "vitest";
import { sharedDevice } from "../../../../../src/kernels/devices.ts";
import { constant, state, trace } from "../../../../../src/kernels/index.ts";
import { dirichlet } from "../../../../../src/rl/programs/search/dirichlet.ts";
import { runOnDevice } from "../../../../kernels/support/run.ts";

const LANES = 20_000;

test.each([0.03, 0.3, 1, 5])(
  "draws have the moments of a Dirichlet distribution: alpha %d",
  async (alpha) => {
    const program = trace("dirichlet", () => {
      const word = (i: number) => state(`key.${i}`, [], { dtype: "u32" }).read();
      const draws = dirichlet(
        { key: [word(0), word(1)], stream: 1, step: constant(3, "i32") },
        state("legal", [LANES, 4]).read(),
        alpha,
      );
      state("draws", [LANES, 4]).write(draws);
    });
    const legal = Array.from({ length: LANES }, () => [1, 0, 1, 1]).flat();
    const { draws = [] } = await runOnDevice(
      sharedDevice(),
      program,
      {},
      { legal, "key.0": [5], "key.1": [9] },
    );
    const column = (i: number) => Array.from({ length: LANES }, (_, lane) => draws[lane * 4 + i] as number);
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    expect(Math.max(...column(1))).toBe(0);
    const [a, b] = [column(0), column(3)];
    const variance = ((1 / 3) * (2 / 3)) / (3 * alpha + 1);
    const error = 5 / Math.sqrt(LANES);
    for (const values of [a, b]) {
      expect(Math.abs(mean(values) - 1 / 3)).toBeLessThan(error * Math.sqrt(variance));
      expect(mean(values.map((x) => (x - 1 / 3) ** 2)) / variance).toBeCloseTo(1, 1);
    }
    const covariance = mean(a.map((x, i) => (x - 1 / 3) * ((b[i] as number) - 1 / 3)));
    expect(covariance / (-1 / 9 / (3 * alpha + 1))).toBeCloseTo(1, 1);
  },
);
