/** The folder of a small model with its tokenizer, as transformers saves one. */
import { parseConfig } from "../../../src/llm/models.ts";
import { LLAMA } from "./configs.ts";
import { idOf, tokenizerFiles } from "./tokenizerJson.ts";
import { folderFiles, someTensors, type Tensors } from "./weights.ts";

const CONFIG = { ...LLAMA, vocab_size: idOf("<|im_end|>") + 1, max_position_embeddings: 64 };

/** @param change Changes the weights. */
export function modelFolder(change: (tensors: Tensors) => void = () => undefined): Map<string, Uint8Array> {
  const tensors = someTensors(parseConfig(CONFIG));
  change(tensors);
  return new Map([...folderFiles(CONFIG, tensors), ...tokenizerFiles()]);
}
