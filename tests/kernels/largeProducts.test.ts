/** Products with large weights of known size, against the same products with sizes that are bound at run time. */
import { afterAll, describe, expect, it } from "vitest";
import { type Dim, matmul, state, sym, trace, WasmDevice } from "../../src/kernels/index.ts";
import { numbers } from "./support/numbers.ts";

const rows = sym("rows");

const program = (columns: Dim, depth: Dim) =>
  trace("product", () => {
    const x = state("x", [rows, depth]).read();
    const weight = state("weight", [columns, depth]).read();
    const bias = state("bias", [columns]).read();
    state("plain", [rows, columns]).write(matmul(x, weight, { transposeB: true }));
    state("biased", [rows, columns]).write(matmul(x, weight, { transposeB: true, bias }));
  });

describe("products with large weights of known size", () => {
  const device = new WasmDevice();
  afterAll(() => device.close());

  it.each([
    [128, 128],
    [129, 128],
    [263, 132],
    [8, 4096],
    [9, 2052],
  ])("have the bits of other products: %i columns, depth %i", (columns, depth) => {
    const next = numbers(columns + depth);
    const fill = (length: number) => Float32Array.from({ length }, () => 2 * next() - 1);
    const [weight, bias] = [fill(columns * depth), fill(columns)];
    // Blocks have at most 256 rows.
    for (const count of [1, 2, 3, 4, 5, 8, 11, 255, 261]) {
      const x = fill(count * depth);
      const results = [program(columns, depth), program(sym("columns"), sym("depth"))].map((traced) => {
        const arena = device.arena(traced.states.values(), { rows: count, columns, depth });
        for (const [name, values] of Object.entries({ x, weight, bias })) arena.write(name, values);
        const bound = device.compile(traced).bind(arena);
        bound.run();
        const found = { plain: arena.read("plain"), biased: arena.read("biased") };
        bound.release();
        arena.release();
        return found;
      });
      expect(results[0], `${count} rows`).toEqual(results[1]);
    }
    const kernels = device.kernels().flatMap((report) => report.kernels);
    expect(kernels).toContain(`large gemm ${columns} ${depth} false`);
  });
});
