import { openGpu } from "../../src/kernels/webgpu.ts";
import type { WebGpuDevice } from "../../src/kernels/wgsl/device.ts";
import { GpuExecutor } from "../../src/training/executors.ts";
import type { Row } from "../harness/Row.ts";
import { held, shippedPpo } from "../subjects/manifests.ts";
import { runPopulation } from "../subjects/populationRun.ts";

/** Assumed number of concurrent GPU workgroups. With 1, members learn in one program; else in slices. */
const PATHS = [
  { name: "in one program", busy: 1 },
  { name: "in slices", busy: 256 },
] as const;

/** Encoding time as a percentage of the second generation's wall time, and in microseconds per dispatch. */
async function encoding(seed: number, busy: number): Promise<number[]> {
  let device: WebGpuDevice | null = null;
  const open = async () => {
    device = await openGpu();
    return device;
  };
  const manifest = held(shippedPpo(0));
  const population = { ...manifest, training: { ...manifest.training, pop_size: 16 } };
  let before = { dispatches: 0, ms: 0, seconds: 0 };
  let figures: number[] = [];
  await runPopulation(population, {
    seed,
    workers: 0,
    executor: new GpuExecutor({ open, busy }),
    atBoundary: ({ report, seconds }) => {
      const { dispatches, ms } = (device as WebGpuDevice).encoding;
      const spent = ms - before.ms;
      figures = [
        (100 * spent) / (1000 * (seconds - before.seconds)),
        (1000 * spent) / (dispatches - before.dispatches),
      ];
      before = { dispatches, ms, seconds };
      return report.generation === 2;
    },
  });
  return figures;
}

export const encodingWebgpu: Row = {
  name: "encoding-webgpu",
  title: "the CPU's time to encode and submit, PPO, population 16; WebGPU",
  processes: 1,
  device: "webgpu",
  figures: PATHS.flatMap(({ name }) => [
    { name: `${name}, of the wall time`, unit: "%", digits: 2, target: { at_most: 10 } },
    { name: `${name}, each dispatch`, unit: "us", digits: 1 },
  ]),
  measure: async (seed) => {
    const figures: number[] = [];
    for (const { busy } of PATHS) figures.push(...(await encoding(seed, busy)));
    return figures;
  },
};
