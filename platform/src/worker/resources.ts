/** The resources that runs request by `resource_id` and workers offer. */
import type { AskedDevice } from "../../../src/training/index.ts";

interface Resource {
  readonly description: string;
  readonly device: Exclude<AskedDevice, "auto">;
}

export const RESOURCES = {
  cpu: { description: "WebAssembly SIMD, one thread per core", device: "wasm" },
  webgpu: {
    description: "one machine's GPU for the whole run, as GPUs differ in their last bits",
    device: "webgpu",
  },
} as const satisfies Readonly<Record<string, Resource>>;

export type ResourceId = keyof typeof RESOURCES;

// The literal has exactly the keys of its type.
export const RESOURCE_IDS = Object.keys(RESOURCES) as readonly ResourceId[];

/** The default resource of a run. */
export const CPU_RESOURCE: ResourceId = "cpu";
