/** Compares WebGPU with WebAssembly for a population, by environment steps per second. */
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import type { GpuContender } from "../executors/AutoExecutor.ts";
import type { RlKinds } from "../rl/kinds.ts";
import { stepsPerSecond } from "./calibration.ts";
import { GpuExecutor } from "./GpuExecutor.ts";

export interface PopulationContenderOptions {
  /** Finds an adapter for a device that replaces a lost one. */
  readonly findAdapter: () => Promise<GPUAdapter>;
  /** Called when a lost device is replaced. */
  readonly onNotice: (message: string) => void;
  /** Number of workgroups that the GPU runs at once (default: measured). */
  readonly busy?: number;
  /** Returns an executor's environment steps per second (default: measures them). */
  readonly rateOf?: typeof stepsPerSecond;
}

/** Timeout for compiling and measuring on the GPU. */
const PATIENCE_MS = 15_000;

/** Loaded dynamically, because most machines train without it. */
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
      // Reuses the device of the measurement, with its compiled programs.
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
        const onGpu = await inTime(measure((gate) => rateOf(gpu, setup, turns, gate)));
        const onWasm = await measure((gate) => rateOf(wasm, setup, turns, gate));
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

/** @throws Error when the work exceeds the timeout. */
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
