/** The public class of LoRA adapters. */
import { defaultStore } from "../../storage/files.ts";
import { type FileStore, joinPath, type StoredTensor } from "../../storage/index.ts";
import { memoryFolder, storeFolder, verified, withChecksums } from "../files/Folder.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import type { ExpectedAdapter } from "./adapterConfig.ts";
import {
  type Adapter,
  type AdapterFiles,
  adapterFiles,
  adapterOf,
  type LoadedAdapter,
  readAdapterFiles,
} from "./peftFiles.ts";

export interface AdapterStoreOption {
  /** Store of the folder. Defaults to the disk in Node and OPFS in a browser. */
  readonly store?: FileStore;
}

/**
 * A low-rank adapter of a language model (Hu et al. 2021), in PEFT's file format. Instances are immutable.
 *
 * @example
 * ```ts
 * const adapter = await LoraAdapter.load("adapters/polite");
 * const model = await LanguageModel.load("models/qwen2");
 * const { completions } = await model.generate({ prompts: [[1, 2, 3]], max_output_tokens: 8, adapter });
 * await adapter.save("adapters/copy");
 * ```
 */
export class LoraAdapter {
  readonly #found: AdapterFiles;

  private constructor(found: AdapterFiles) {
    this.#found = found;
  }

  /**
   * Reads `adapter_config.json` and `adapter_model.safetensors` from a folder, and compares them with its
   * `checksums.json` if it has one. Whether they fit a model is checked only on use.
   * @throws StorageError `not_found` for a missing file, `corrupt` for a damaged one.
   */
  static async load(dir: string, { store }: AdapterStoreOption = {}): Promise<LoraAdapter> {
    const folder = storeFolder(store ?? (await defaultStore()), dir);
    return new LoraAdapter(await readAdapterFiles(verified(folder)));
  }

  /** @internal An adapter that was trained in this process. */
  static async of(config: ModelConfig, adapter: Adapter): Promise<LoraAdapter> {
    return new LoraAdapter(await readAdapterFiles(memoryFolder(adapterFiles(config, adapter))));
  }

  /** Matrices by their names in PEFT's files: A [rank, in], B [out, rank]; f32. */
  get tensors(): ReadonlyMap<string, StoredTensor> {
    return this.#found.tensors;
  }

  /**
   * Writes both files as they were read or trained, and their checksums.
   * @throws StorageError `full`, `locked` or `io`.
   */
  async save(dir: string, { store }: AdapterStoreOption = {}): Promise<void> {
    const to = store ?? (await defaultStore());
    for (const [name, bytes] of withChecksums(this.#found.files)) await to.write(joinPath(dir, name), bytes);
  }

  /** @internal Weights for a model. @throws SpecError or StorageError naming the file if they do not fit. */
  for(config: ModelConfig, expected?: ExpectedAdapter): LoadedAdapter {
    return adapterOf(this.#found, config, expected);
  }
}
