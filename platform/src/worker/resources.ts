/** The resources that runs request by `resource_id` and workers offer. */
import type { TrainingDevice } from "../../../src/training/executors/device.ts";

interface Resource {
  readonly description: string;
  readonly device: TrainingDevice;
}

export const RESOURCES = {
  cpu: { description: "WebAssembly SIMD, a thread for each core", device: "wasm" },
  webgpu: {
    description: "a machine's GPU, for a whole run: GPUs differ in the last bits",
    device: "webgpu",
  },
} as const satisfies Readonly<Record<string, Resource>>;

export type ResourceId = keyof typeof RESOURCES;

// The literal has exactly the keys of its type.
export const RESOURCE_IDS = Object.keys(RESOURCES) as readonly ResourceId[];

/** The default resource of a run. */
export const CPU_RESOURCE: ResourceId = "cpu";
