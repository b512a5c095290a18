/** Estimates of work, as tables hold them. */
import { describe, expect, it } from "vitest";
import * as k from "../../../../src/kernels/index.ts";
import { unitsOfRun } from "../../../../src/kernels/lowering/memoryTable.ts";
import { workUnits } from "../../../../src/kernels/lowering/work.ts";
import { shaderOf } from "../../../../src/kernels/wgsl/shader.ts";

const n = k.sym("n");
const LIMITS = { workgroupSize: 32, stagingBytes: 1024 };

/** Units of each stage of a program for a member of width `size`. */
const unitsOf = (program: k.Program, size: number): number[] =>
  shaderOf(program, LIMITS).table.flatMap((entry) =>
    entry.kind === "work" ? [workUnits(entry.operations, { n: size })] : [],
  );

describe("work", () => {
  it("is a unit for each step while members are small, and grows with what a step computes", () => {
    const program = k.trace("product", () => {
      const x = k.state("x", [n, n]);
      x.write(k.matmul(x.read(), x.read()));
    });
    const [small = 0] = unitsOf(program, 8);
    const [large = 0] = unitsOf(program, 800);
    expect(small).toBeLessThan(5);
    // 800^3 multiplications.
    expect(large).toBeGreaterThan(1000 * small);
    expect(unitsOf(program, 8)).toHaveLength(1);
  });

  it("of a run has that of each stage as often as the run comes to it", () => {
    const program = k.trace("loops", () => {
      const total = k.state("total", [n]);
      total.write(k.mul(total.read(), 2));
      k.scan({ count: n, carry: [] }, () => {
        total.write(k.add(total.read(), 1));
        k.scan({ count: 3, carry: [] }, () => {
          total.write(k.mul(total.read(), k.sumAll(total.read())));
          return { carry: [] };
        });
        return { carry: [] };
      });
      k.scan({ count: k.state("times", [], { dtype: "i32" }).read(), carry: [] }, () => {
        total.write(k.sub(total.read(), 1));
        return { carry: [] };
      });
    });
    const { table } = shaderOf(program, LIMITS);
    const [before, outer, inner, unknown] = unitsOf(program, 10) as [number, number, number, number];
    expect(unitsOfRun(table, { n: 10 })).toBe(before + 10 * outer + 30 * inner + unknown);
  });

  it("is told for each stage: around a loop, in it, and in a loop in it", () => {
    const program = k.trace("loops", () => {
      const total = k.state("total", [n]);
      total.write(k.mul(total.read(), 2));
      k.scan({ count: n, carry: [] }, () => {
        total.write(k.add(total.read(), 1));
        k.scan({ count: 3, carry: [] }, () => {
          total.write(k.mul(total.read(), k.sumAll(total.read())));
          return { carry: [] };
        });
        return { carry: [] };
      });
    });
    const units = unitsOf(program, 4);
    expect(units).toHaveLength(3);
    for (const u of units) expect(u).toBeGreaterThan(0);
  });
});
