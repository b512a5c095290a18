/** Runs on WebGPU (SwiftShader) whose agents normalise, and observe stacks: against wasm, and killed and resumed. */
// @apart: its programs and devices fill much memory.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { GpuExecutor } from "../../../src/training/executors.ts";
import { type RunState as AnyState, Boundary } from "../../../src/training/loop.ts";
import { decodeRun, type RunState, reinforcementLearning } from "../../../src/training/workloads.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { tinyDqn } from "../../workers/support/manifests.ts";
import { buildRun, SEED, trainWith } from "../../workers/support/trainWith.ts";
import { inThread, rlState } from "../support/rlRuns.ts";

let device: WebGpuDevice;
beforeAll(async () => {
  device = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
});
afterAll(() => device.close());

const onGpu = () => new GpuExecutor({ open: async () => device, keepsDevice: true, busy: 1 });

/** Programs without layer norms: what SwiftShader takes longest for is to compile. */
const plain = { hidden_size: [8], layer_norm: false, min_mlp_nodes: 4, max_mlp_nodes: 32 };
const network = { latent_dim: 8, encoder_config: plain, head_config: plain };
const NO_MUTATION = { no_mut: 1, arch_mut: 0, new_layer: 0, params_mut: 0, act_mut: 0, rl_hp_mut: 0 };

const tiny = tinyDqn({ pop_size: 2, max_steps: 384 });
const manifest = {
  ...tiny,
  network,
  environment: { ...tiny.environment, normalize: { observations: true, rewards: true }, frame_stack: 2 },
  mutation: { ...tiny.mutation, probabilities: NO_MUTATION },
};

const moments = ({ members }: RunState) =>
  members.flatMap(({ normalization }) =>
    [normalization?.observations, normalization?.rewards].flatMap((of) => [
      ...(of?.mean ?? []),
      ...(of?.variance ?? []),
    ]),
  );

describe("a normalised run on WebGPU", () => {
  it("has the statistics of wasm, and the same bits after it was killed and resumed", async () => {
    const whole = await trainWith(onGpu(), manifest);
    const executor = onGpu();
    const killed = buildRun(manifest, executor, (event) => {
      if (event.event === "generation" && event.generation === 1) killed.stop();
    });
    await killed.train();
    await executor.close();
    const boundary = new Boundary(killed.state as AnyState, null);
    const files = boundary.encode(reinforcementLearning.files, { seed: SEED, manifest }, {});
    const from = rlState(decodeRun(files, "checkpoint").state);
    expect(from.generation).toBeLessThan(whole.generation);
    const again = onGpu();
    const resumed = buildRun(manifest, again, () => undefined, from);
    await resumed.train();
    await again.close();
    expect(resumed.state).toEqual(whole);

    const expected = moments(await trainWith(inThread(), manifest));
    const found = moments(whole);
    expect(found).toHaveLength(expected.length);
    for (const [i, value] of found.entries())
      expect(Math.abs(value - (expected[i] as number))).toBeLessThan(1e-3 * (1 + Math.abs(value)));
  });
});
