import { openGpu } from "../../src/kernels/webgpu.ts";
import { GpuExecutor } from "../../src/training/executors.ts";
import type { Row } from "../harness/Row.ts";
import { held, shippedPpo } from "../subjects/manifests.ts";
import { stepsPerSecond } from "../subjects/populationRun.ts";

const SIZES = [1, 8, 16, 64, 2048] as const;
const TARGETS: Partial<Record<(typeof SIZES)[number], number>> = {
  16: 1_000_000,
  64: 4_000_000,
  2048: 20_000_000,
};

/** No rate for a population that the GPU's memory does not hold. */
const unlessTooLarge = (error: unknown): number => {
  if (error instanceof RangeError) return Number.NaN;
  throw error;
};

/** Populations of increasing size on one GPU. The targets are for a data-centre GPU. */
export const ppoWebgpu: Row = {
  name: "ppo-webgpu",
  title: "PPO, CartPole-v1, AgileRL's shipped ppo.yaml values held, arch_mut 0; WebGPU",
  processes: 3,
  device: "webgpu",
  figures: SIZES.map((size) => {
    const target = TARGETS[size];
    return {
      name: `population ${size}, generations 2 and 3`,
      unit: "env steps/s",
      digits: 0,
      ...(target === undefined ? {} : { target: { at_least: target } }),
    };
  }),
  measure: async (seed) => {
    const rates: number[] = [];
    for (const pop_size of SIZES) {
      const manifest = held(shippedPpo(0));
      const population = { ...manifest, training: { ...manifest.training, pop_size } };
      const executor = new GpuExecutor({ open: openGpu });
      const rate = stepsPerSecond(population, seed, { skip: 1, generations: 2, executor });
      rates.push(await rate.catch(unlessTooLarge));
    }
    return rates;
  },
};
