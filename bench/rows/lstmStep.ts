import { lstm } from "../../src/kernels/functions.ts";
import { grad, meanAll, mulDims, square, state, sym } from "../../src/kernels/index.ts";
import type { Row } from "../harness/Row.ts";
import { timePerCall } from "../harness/timing.ts";
import { boundProgram } from "../subjects/boundProgram.ts";

const [STEPS, UNITS, INPUTS] = [16, 128, 64] as const;

/** Forward and backward pass through a sequence, up to the gradients of all parameters. */
function gigaflops(rows: number): number {
  const [n, inputs, units] = [sym("n"), sym("in"), sym("H")];
  const gates = mulDims(4, units);
  const { run } = boundProgram(
    "lstm step",
    () => {
      const parameters = {
        weight_ih: state("weight_ih", [inputs, gates]).read(),
        weight_hh: state("weight_hh", [units, gates]).read(),
        bias_ih: state("bias_ih", [gates]).read(),
        bias_hh: state("bias_hh", [gates]).read(),
      };
      const start = { h: state("h", [n, units]).read(), c: state("c", [n, units]).read() };
      const { hidden } = lstm(state("x", [STEPS, n, inputs]).read(), start, parameters);
      grad(meanAll(square(hidden)), Object.values(parameters)).forEach((g, i) => {
        state(`gradient${i}`, g.shape).write(g);
      });
    },
    { n: rows, in: INPUTS, H: UNITS },
  );
  // Inputs: forward pass and weight gradient. Hidden states: both of these and their own gradient.
  const flop = 2 * STEPS * rows * 4 * UNITS * (2 * INPUTS + 3 * UNITS);
  return flop / timePerCall(run, { warmup: 60, blocks: 30, calls: 5 }) / 1000;
}

export const lstmStep: Row = {
  name: "lstm-step",
  title: `LSTM of ${UNITS} units, ${INPUTS} inputs, ${STEPS} steps forward and back; one core`,
  figures: [
    { name: "16 sequences", unit: "GFLOP/s", target: { at_least: 25 } },
    { name: "64 sequences", unit: "GFLOP/s", target: { at_least: 25 } },
  ],
  measure: async () => [gigaflops(16), gigaflops(64)],
};
