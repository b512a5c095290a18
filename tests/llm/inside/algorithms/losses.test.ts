/** Golden numbers of llm.md A1.10, computed apart from this code. */
import { describe, expect, it } from "vitest";
import { clip, state, trace, WasmDevice } from "../../../../src/kernels/index.ts";
import { clippedSurrogate, klPenalty } from "../../../../src/llm/algorithms/losses/surrogate.ts";
import { runOnDevice } from "../../../kernels/support/run.ts";

const device = new WasmDevice();

describe("golden numbers", () => {
  it("of the clipped surrogate", async () => {
    const program = trace("surrogate", () => {
      const ratio = state("ratio", [4]).read();
      const loss = clippedSurrogate(ratio, clip(ratio, 0.8, 1.2), state("advantage", [4]).read());
      state("loss", [4]).write(loss);
    });
    const { loss } = await runOnDevice(
      device,
      program,
      {},
      { advantage: [1, 1, -1, -1], ratio: [1.3, 0.7, 1.3, 0.7] },
    );
    [-1.2, -0.7, 1.3, 0.8].forEach((expected, i) => expect(loss?.[i]).toBeCloseTo(expected, 6));
  });

  it.each([
    ["rlkit", [0.14872127, 0.10653066, 0]],
    ["k3", [0.10653066, 0.14872127, 0]],
  ] as const)("of the distance to the reference, by %s", async (estimator, golden) => {
    const program = trace("kl", () => {
      state("kl", [3]).write(klPenalty(state("d", [3]).read(), estimator));
    });
    const { kl } = await runOnDevice(device, program, {}, { d: [0.5, -0.5, 0] });
    golden.forEach((expected, i) => expect(kl?.[i]).toBeCloseTo(expected, 6));
  });
});
