import { openGpu } from "../../src/kernels/webgpu.ts";
import type { TrainingManifestInput } from "../../src/manifests/index.ts";
import { GpuExecutor } from "../../src/training/executors.ts";
import type { Row } from "../harness/Row.ts";
import { stepsPerSecond } from "../subjects/populationRun.ts";

const COPIES = [256, 1024, 4096, 16_384] as const;
/** Of Pendulum's episodes. */
const STEPS = 200;
const LAYERS = { hidden_size: [64], activation: "Tanh" as const, layer_norm: false };

/** One search, whose generation has four iterations. */
const searchOf = (perturbations: number): TrainingManifestInput => ({
  algorithm: { name: "ES", perturbations },
  environment: { name: "Pendulum-v1", num_envs: 16 },
  network: { latent_dim: 64, encoder_config: LAYERS, head_config: LAYERS },
  training: { pop_size: 1, evo_steps: 4 * STEPS * perturbations, max_steps: 100 * STEPS * perturbations },
});

/** Iterations of one search of more and more copies on one GPU. */
export const perturbedCopiesWebgpu: Row = {
  name: "perturbed-copies-webgpu",
  title: "ES, Pendulum-v1, 64 wide, one search, generations 2 and 3; WebGPU",
  processes: 3,
  device: "webgpu",
  figures: COPIES.map((count) => ({
    name: `${count.toLocaleString("en-US")} copies`,
    unit: "env steps/s",
    digits: 0,
  })),
  measure: async (seed) => {
    const rates: number[] = [];
    for (const count of COPIES) {
      const executor = new GpuExecutor({ open: openGpu });
      rates.push(await stepsPerSecond(searchOf(count), seed, { skip: 1, generations: 2, executor }));
    }
    return rates;
  },
};
