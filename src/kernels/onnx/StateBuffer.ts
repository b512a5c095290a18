import type { InferenceSession, Tensor } from "onnxruntime-web/wasm";
import type { BufferPlace } from "../arenaLayout.ts";
import type { Data } from "../device.ts";
import type { Elements } from "./elements.ts";

/** One state of an arena, as a provider stores it. Its methods are called from the queue of all calls. */
export interface StateBuffer {
  readonly bytes: number;
  /** The contents as an input. */
  feed(shape: readonly number[]): Tensor;
  /** Target of a run's result; null if the runtime creates a tensor. `carried`: the run reads the state too. */
  target(shape: readonly number[], carried: boolean): Tensor | null;
  /** Makes the result of a run the contents. */
  adopt(result: Tensor, carried: boolean): void;
  /** Replaces the first elements. */
  write(elements: Elements): void;
  read(): Promise<Data>;
  release(): void;
}

/** A provider's interface for arenas and sessions. */
export interface ProviderMemory {
  readonly sessionOptions: InferenceSession.SessionOptions;
  /** A buffer of zeros. */
  buffer(place: Pick<BufferPlace, "length" | "dtype">): StateBuffer;
  /** @throws GpuFault when the device has failed. */
  requireSound(): void;
  /** Returns the result of a call, or throws the device's failure. */
  guarded<T>(call: Promise<T>): Promise<T>;
  close(): void;
}
