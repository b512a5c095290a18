import type { InferenceSession, Tensor } from "onnxruntime-web/wasm";
import type { BufferPlace } from "../arenaLayout.ts";
import type { Data } from "../device.ts";
import type { Elements } from "./elements.ts";

/** One state of an arena, where a provider keeps it. Its methods are called in the queue of all calls. */
export interface StateBuffer {
  readonly bytes: number;
  /** The contents as an input. */
  feed(shape: readonly number[]): Tensor;
  /** What a run is to write the new contents to; null where the runtime makes a tensor. `carried`: while it reads the old. */
  target(shape: readonly number[], carried: boolean): Tensor | null;
  /** Takes what a run wrote as the contents. */
  adopt(result: Tensor, carried: boolean): void;
  /** Replaces the first contents. */
  write(elements: Elements): void;
  read(): Promise<Data>;
  release(): void;
}

/** What a provider is to an arena and a session. */
export interface ProviderMemory {
  readonly sessionOptions: InferenceSession.SessionOptions;
  /** A buffer of zeros. */
  buffer(place: Pick<BufferPlace, "length" | "dtype">): StateBuffer;
  /** @throws GpuFault when the device has failed. */
  requireSound(): void;
  /** The result of a call, or the device's failure. */
  guarded<T>(call: Promise<T>): Promise<T>;
  close(): void;
}
