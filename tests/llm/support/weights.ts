/** Weights of small models, and the folders that they lie in. */
import { jsonBytes, type ModelConfig, weightsOf } from "../../../src/llm/models.ts";
import { encodeSafetensors, type StoredTensor } from "../../../src/storage/index.ts";

export type Tensors = Map<string, StoredTensor>;

/** Values that differ between tensors and between their elements. */
export function someTensors(config: ModelConfig): Tensors {
  let at = 0;
  return new Map(
    weightsOf(config).map(({ name, shape }) => {
      const length = shape.reduce((a, b) => a * b, 1);
      return [name, { shape, data: Float32Array.from({ length }, () => ++at / 1024) }];
    }),
  );
}

/** A folder's files: a config, and all tensors in one file. */
export const folderFiles = (config: object, tensors: Tensors): Map<string, Uint8Array> =>
  new Map([
    ["config.json", jsonBytes(config)],
    ["model.safetensors", encodeSafetensors(tensors, { format: "pt" })],
  ]);
