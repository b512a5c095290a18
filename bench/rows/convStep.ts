import { convolution } from "../../src/kernels/functions.ts";
import { grad, meanAll, square, state, sym } from "../../src/kernels/index.ts";
import type { Row } from "../harness/Row.ts";
import { timePerCall } from "../harness/timing.ts";
import { boundProgram } from "../subjects/boundProgram.ts";

const [IMAGES, SIDE, KERNEL] = [64, 10, 3] as const;

/** Forward and backward pass of a convolution. `image` adds the input's gradient, unlike in a first layer. */
function gigaflops(channels: number, out: number, image: boolean): number {
  const [n, i, o] = [sym("n"), sym("in"), sym("out")];
  const { run } = boundProgram(
    "conv step",
    () => {
      const x = state("x", [n, SIDE, SIDE, i]).read();
      const weight = state("weight", [KERNEL, KERNEL, i, o]).read();
      const bias = state("bias", [o]).read();
      const loss = meanAll(square(convolution(x, weight, bias)));
      grad(loss, image ? [weight, bias, x] : [weight, bias]).forEach((g, k) => {
        state(`gradient${k}`, g.shape).write(g);
      });
    },
    { n: IMAGES, in: channels, out },
  );
  const product = 2 * IMAGES * (SIDE - KERNEL + 1) ** 2 * KERNEL ** 2 * channels * out;
  const flop = product * (image ? 3 : 2);
  return flop / timePerCall(run, { warmup: 100, blocks: 30, calls: 10 }) / 1000;
}

export const convStep: Row = {
  name: "conv-step",
  title: "3 x 3 convolution, forward and backward, 64 images of 10 x 10; one core",
  figures: [
    { name: "4 -> 16 channels, first layer", unit: "GFLOP/s", target: { at_least: 25 } },
    { name: "32 -> 32 channels, with the image's gradient", unit: "GFLOP/s", target: { at_least: 25 } },
  ],
  measure: async () => [gigaflops(4, 16, false), gigaflops(32, 32, true)],
};
