import { matmul as product, state, sym } from "../../src/kernels/index.ts";
import type { Row } from "../harness/Row.ts";
import { timePerCall } from "../harness/timing.ts";
import { boundProgram } from "../subjects/boundProgram.ts";

function gigaflops(n: number): number {
  const [m, k, columns] = [sym("m"), sym("k"), sym("n")];
  const { run } = boundProgram(
    "matmul",
    () => state("c", [m, columns]).write(product(state("a", [m, k]).read(), state("b", [k, columns]).read())),
    { m: n, k: n, n },
  );
  const flop = 2 * n ** 3;
  const calls = Math.max(5, Math.ceil(1e8 / flop));
  return flop / timePerCall(run, { warmup: 10 * calls, blocks: 30, calls }) / 1000;
}

export const matmul: Row = {
  name: "matmul",
  title: "matrix product inside a program; one core",
  figures: [
    { name: "64 x 64 x 64", unit: "GFLOP/s", target: { at_least: 40 } },
    { name: "256 x 256 x 256", unit: "GFLOP/s" },
  ],
  measure: async () => [gigaflops(64), gigaflops(256)],
};
