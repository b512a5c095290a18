/** What runs ask for as `resource_id`, and a worker has: one of these. */
import type { TrainingDevice } from "../../../src/training/executors/device.ts";

export interface Resource {
  readonly resource_id: ResourceId;
  readonly description: string;
  readonly device: TrainingDevice;
}

const IDS = ["cpu", "webgpu"] as const;

export type ResourceId = (typeof IDS)[number];

/** What runs get that ask for none. */
export const CPU_RESOURCE: ResourceId = "cpu";

export const RESOURCES: readonly Resource[] = [
  { resource_id: "cpu", description: "WebAssembly SIMD, a thread for each core", device: "wasm" },
  {
    resource_id: "webgpu",
    description: "a machine's GPU, for a whole run: GPUs differ in the last bits",
    device: "webgpu",
  },
];

export const RESOURCE_IDS: readonly ResourceId[] = IDS;

/** What trains a run of a resource. Runs of resources that are no more train on the processor. */
export const deviceOf = (resource_id: string): TrainingDevice =>
  RESOURCES.find((one) => one.resource_id === resource_id)?.device ?? "wasm";
