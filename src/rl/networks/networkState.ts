/** A network with its weights, as plain data. */
import type { NetworkData } from "./networkData.ts";

/** Weights by tensor name, row-major. Weight matrices are [in, out] here and [out, in] in files. */
export type Tensors = Record<string, Float32Array>;

export interface NetworkState {
  readonly data: NetworkData;
  readonly tensors: Tensors;
}
