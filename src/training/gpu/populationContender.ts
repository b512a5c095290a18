/** Populations on one WebGPU device against WebAssembly: the more environment steps per second, the better. */
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import type { GpuContender } from "../executors/GpuContender.ts";
import type { RlKinds } from "../rl/kinds.ts";
import { stepsPerSecond } from "./calibration.ts";
import { GpuExecutor } from "./GpuExecutor.ts";

export interface PopulationContenderOptions {
  /** Finds an adapter for a device that takes a lost one's place. */
  readonly findAdapter: () => Promise<GPUAdapter>;
  /** Told when a lost device is replaced. */
  readonly onNotice: (message: string) => void;
  /** Workgroups that the GPU runs at once; measured unless given. */
  readonly busy?: number;
  /** Environment steps per second of an executor; measured unless given. */
  readonly rateOf?: typeof stepsPerSecond;
}

/** How long the GPU's compiler may keep the run waiting, measuring included. */
const PATIENCE_MS = 15_000;

/** Most machines train without: pages load it with the first run that looks for a GPU. */
async function openDevice(adapter: GPUAdapter): Promise<WebGpuDevice> {
  const { WebGpuDevice: Device } = await import("../../kernels/wgsl/device.ts");
  return Device.create(adapter);
}

const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString("en")} steps per second`;

export function populationContender({
  findAdapter,
  onNotice,
  rateOf = stepsPerSecond,
  ...known
}: PopulationContenderOptions): GpuContender<RlKinds> {
  const executorOn = (first: WebGpuDevice): GpuExecutor => {
    let unused: WebGpuDevice | null = first;
    return new GpuExecutor({
      // What was compiled to measure is of use.
      open: async () => {
        const device = unused ?? (await openDevice(await findAdapter()));
        unused = null;
        return device;
      },
      onNotice,
      ...known,
    });
  };
  return {
    executorOn: async (adapter) => executorOn(await openDevice(adapter)),
    async compare({ adapter, setup, turns, wasm, measure }) {
      const device = await openDevice(adapter);
      try {
        const gpu = new GpuExecutor({ open: async () => device, keepsDevice: true, ...known });
        const onGpu = await inTime(measure(gpu, () => rateOf(gpu, setup, turns)));
        const onWasm = await measure(wasm, () => rateOf(wasm, setup, turns));
        const [gpuRate, wasmRate] = [perSecond(onGpu), perSecond(onWasm)];
        const faster = (other: string) => `it trains this population faster than ${other} here: about`;
        if (onGpu > onWasm)
          return {
            gpu: executorOn(device),
            reason: `${faster("WebAssembly")} ${gpuRate} against ${wasmRate}`,
          };
        device.close();
        return { gpu: null, reason: `${faster("the GPU")} ${wasmRate} against ${gpuRate}` };
      } catch (error) {
        device.close();
        throw error;
      }
    },
  };
}

/** @throws Error when the work takes longer than one waits for it. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `its programs were not compiled within ${PATIENCE_MS / 1000} s`;
    timer = setTimeout(() => reject(new Error(message)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
