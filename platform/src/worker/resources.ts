/** What a run asks for as `resource_id`, and what a worker offers. */
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

// The keys of a literal are those of its type.
export const RESOURCE_IDS = Object.keys(RESOURCES) as readonly ResourceId[];

/** The resource of runs that ask for none. */
export const CPU_RESOURCE: ResourceId = "cpu";
