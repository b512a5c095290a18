/** The public class of language models. */
import { deviceOf, OutOfMemoryError, SerialQueue } from "../../kernels/devices.ts";
import type { Device } from "../../kernels/index.ts";
import { defaultStore } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import type { LoraAdapter } from "../adapters/LoraAdapter.ts";
import { type AdapterWeights, tuningOfAdapter } from "../adapters/peftFiles.ts";
import type { NumberArray, ShapedArray } from "../data/readArray.ts";
import { ACTING_ENGINES, type ActingEngine, Decodings } from "../engine/Decodings.ts";
import { drawOf, generate } from "../engine/generate.ts";
import { ModelOnDevice, openGpu, WEIGHT_STORAGES, type WeightStorage } from "../engine/ModelOnDevice.ts";
import { writeOnnx } from "../engine/onnxModel.ts";
import { Policy, type Sequences } from "../engine/Policy.ts";
import { inPasses } from "../engine/passes.ts";
import { loadModelParts, type ModelParts, modelFolder, wholeWeights } from "../models/loadModelParts.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import { ownName, type Tuning } from "../models/WeightSource.ts";
import { SamplingSettings, type SamplingSettingsInput } from "../sampling/SamplingSettings.ts";
import { StopStrings } from "../sampling/StopStrings.ts";
import { endTokens } from "../tokenizers/AbsentTokenizer.ts";
import { loadTokenizerIfThere } from "../tokenizers/loadTokenizer.ts";
import type { Tokenizer } from "../tokenizers/Tokenizer.ts";
import { type PromptInput, readPrompts, readSequences } from "./readTokens.ts";

export interface LanguageModelOptions {
  /**
   * "cpu" or its alias "wasm" (default), "webgpu" for a new device in browsers with a GPU, or a device of the
   * caller. Agents train on the device of their model.
   */
  readonly device?: "cpu" | "wasm" | "webgpu" | Device;
  /**
   * What generates completions, also those of agents that train the model: "kernels" (default), or on the CPU
   * "onnxruntime", which holds another copy of the weights.
   */
  readonly acting?: ActingEngine;
  /** Store of the folder. Defaults to the disk in Node and OPFS in a browser. */
  readonly store?: FileStore;
  /** Longest sequence in tokens. Defaults to the model's own limit, but at most 4,096. */
  readonly max_model_len?: number | null;
  /**
   * How the device keeps weights that are read from files (default: "f32"). "f16" takes half the memory, and "q8", integers
   * of one byte with a factor for each row, a quarter. Each number is widened as it is used. onnxruntime, which "webgpu"
   * uses, keeps all weights as f32.
   */
  readonly weight_storage?: WeightStorage;
}

/** Sequences of one length T, padded on the left or on the right. */
export interface SequencesInput {
  /** Token ids: [n, T]. */
  readonly input_ids: NumberArray;
  /** 1 for tokens, 0 for padding: [n, T] (default: no padding). */
  readonly attention_mask?: NumberArray | null;
  /** Adapter to apply to the model (default: none). */
  readonly adapter?: LoraAdapter | null;
}

/** Sampling settings of completions. The rules apply in this order. */
export interface GenerationInput extends Omit<SamplingSettingsInput, "stop_tokens"> {
  /** Token ids of each prompt. */
  readonly prompts: readonly PromptInput[];
  /** Upper bound on the ids of a completion. Defaults to the remaining length of the sequence. */
  readonly max_output_tokens?: number | null;
  /** Seed of the random draws (default: 0). */
  readonly seed?: number;
  /** Ids that end a completion and are included in it. Defaults to the tokenizer's end token. */
  readonly stop_tokens?: readonly number[];
  /** Texts that end a completion and are included in it (default: none). */
  readonly stop_strings?: readonly string[];
  readonly adapter?: LoraAdapter | null;
}

export interface Generation {
  /** Ids of each completion, without its prompt. */
  readonly completions: readonly Int32Array[];
  /** Log-probabilities of those ids, at `log_prob_temperature`. */
  readonly log_probs: readonly Float32Array[];
}

const DEVICES: readonly unknown[] = ["cpu", "wasm", "webgpu"];

/** @throws RangeError for an unknown name. */
function requireDevice(device: unknown): void {
  if (typeof device === "object" || DEVICES.includes(device)) return;
  throw new RangeError(
    `device: found ${JSON.stringify(device)}, allowed "cpu", its alias "wasm", "webgpu", or a device`,
  );
}

/** Upper bound of the default `max_model_len`, because position tables and caches take memory. */
const USUAL_LENGTH = 4096;

function lengthOf({ max_position_embeddings: own }: ModelConfig, given: number | null | undefined): number {
  if (given === null || given === undefined) return Math.min(own, USUAL_LENGTH);
  if (Number.isInteger(given) && given >= 1 && given <= own) return given;
  throw new RangeError(
    `max_model_len: found ${given}, allowed whole numbers from 1 to ${own}, the model's own`,
  );
}

/**
 * A decoder-only transformer with its tokenizer: a Llama or a relative of it, a Phi or a GPT-2. It is immutable; agents train adapters or
 * copies of it. Concurrent calls run one after another.
 *
 * @example
 * ```ts
 * const model = await LanguageModel.load("rlkit/tiny-letters");
 * const prompt = model.tokenizer.encode("abc", { add_special_tokens: true });
 * const { completions } = await model.generate({ prompts: [prompt], max_output_tokens: 8, temperature: 0 });
 * console.log(model.tokenizer.decode(completions[0] ?? []));
 * model.close();
 * ```
 */
export class LanguageModel {
  /** @internal */
  readonly parts: ModelParts;
  /** Longest sequence in tokens. */
  readonly max_model_len: number;
  /** What generates completions. */
  readonly acting: ActingEngine;
  readonly #device: Device;
  /** Whether it opened the device, and so must close it. */
  readonly #owned: boolean;
  readonly #calls = new SerialQueue();
  readonly #passes = new Map<string, Passes>();
  #model: ModelOnDevice | null = null;
  #closed = false;

  private constructor(
    parts: ModelParts,
    device: Device,
    owned: boolean,
    { max_model_len, acting }: { readonly max_model_len: number; readonly acting: ActingEngine },
  ) {
    this.parts = parts;
    this.acting = acting;
    this.#device = device;
    this.#owned = owned;
    this.max_model_len = max_model_len;
  }

  /**
   * Loads a model from a folder, one of the hub that was fetched before, or a built-in one.
   * @param pathOrId A folder with `config.json`, safetensors and `tokenizer.json` as written by
   *   transformers, an id of the hub (see `fetchHubModel`), or a built-in model: `rlkit/tiny-digits`, `rlkit/tiny-letters`. Without
   *   `tokenizer.json`, the model only works with ids.
   * @throws SpecError for unsupported settings in the files; StorageError for files that are missing or
   *   damaged; RangeError for an invalid option; Error for "webgpu" without a GPU.
   */
  static async load(
    pathOrId: string,
    {
      device = "wasm",
      store,
      max_model_len,
      acting = "kernels",
      weight_storage = "f32",
    }: LanguageModelOptions = {},
  ): Promise<LanguageModel> {
    requireDevice(device);
    if (!ACTING_ENGINES.includes(acting))
      throw new RangeError(
        `acting: found ${JSON.stringify(acting)}, allowed ${ACTING_ENGINES.map((one) => `"${one}"`).join(" and ")}`,
      );
    if (!WEIGHT_STORAGES.includes(weight_storage))
      throw new RangeError(
        `weight_storage: found ${JSON.stringify(weight_storage)}, allowed ${WEIGHT_STORAGES.map((one) => `"${one}"`).join(", ")}`,
      );
    if (weight_storage !== "f32" && acting === "onnxruntime")
      throw new RangeError(
        `weight_storage: found "${weight_storage}", allowed "f32" with acting "onnxruntime"`,
      );
    const files = store ?? (await defaultStore());
    const parts = await loadModelParts(pathOrId, (path) => modelFolder(path, files), loadTokenizerIfThere);
    for (const warning of parts.warnings) console.warn(`rlkit: ${warning}`);
    const length = lengthOf(parts.config, max_model_len);
    const owned = device === "webgpu";
    const on = owned ? await openGpu() : typeof device === "string" ? deviceOf(device) : device;
    const loaded = new LanguageModel(parts, on, owned, { max_model_len: length, acting });
    try {
      // A built-in model may never be used itself, since agents train copies of it.
      const options = { positions: length, weight_storage };
      if (parts.stored) loaded.#model = await ModelOnDevice.load(parts, on, options);
    } catch (error) {
      loaded.close();
      if (!(error instanceof OutOfMemoryError)) throw error;
      const advice =
        'of a language model: use weight_storage "q8", a lower max_model_len, or a smaller model';
      throw new Error(`${error.message}; ${advice}`, { cause: error });
    }
    return loaded;
  }

  /** The id or path that it was loaded from. */
  get id(): string {
    return this.parts.id;
  }

  get config(): ModelConfig {
    return this.parts.config;
  }

  /** If the folder has no `tokenizer.json`, each use of the tokenizer throws. */
  get tokenizer(): Tokenizer {
    return this.parts.tokenizer;
  }

  /**
   * Logits after each token: [n, T, V]. Values at padding are meaningless.
   * @throws TypeError or RangeError naming an invalid argument; SpecError or StorageError for
   *   an adapter of another model.
   */
  async logits({ adapter = null, ...input }: SequencesInput): Promise<ShapedArray<Float32Array>> {
    const sequences = this.#sequences(input);
    const { rows, length } = sequences;
    const V = this.config.vocab_size;
    const size = { needed: length * V, given: length * V };
    const data = await this.#with(adapter, ({ policy }) =>
      inPasses(sequences, size, (part) => policy.logits(part)),
    );
    return { shape: [rows, length, V], data };
  }

  /**
   * Log-probability of each next token at a temperature: [n, T - 1]; column t belongs to the token at t + 1.
   * Values at padding are meaningless.
   * @throws As {@link LanguageModel.logits}.
   */
  async logProbs({
    adapter = null,
    temperature = 1,
    ...input
  }: SequencesInput & { readonly temperature?: number }): Promise<ShapedArray<Float32Array>> {
    if (!(Number.isFinite(temperature) && temperature > 0))
      throw new RangeError(`temperature: found ${temperature}, allowed numbers above 0`);
    const sequences = this.#sequences(input);
    const columns = sequences.length - 1;
    if (columns === 0) return { shape: [sequences.rows, 0], data: new Float32Array() };
    const size = { needed: columns * this.config.vocab_size, given: columns };
    const data = await this.#with(adapter, ({ policy }) =>
      inPasses(sequences, size, (part) => policy.logProbs("actor", part, temperature)),
    );
    return { shape: [sequences.rows, columns], data };
  }

  /**
   * Completes prompts. The same arguments give the same completions; the random draws
   * differ between prompts, by index.
   * @throws TypeError, RangeError or SpecError naming an invalid argument; SpecError or StorageError for
   *   an adapter of another model.
   */
  async generate({
    prompts,
    max_output_tokens = null,
    seed = 0,
    stop_tokens,
    stop_strings = [],
    adapter = null,
    ...rules
  }: GenerationInput): Promise<Generation> {
    const ids = readPrompts(prompts, this.#limits);
    const settings = SamplingSettings.parse({
      ...rules,
      stop_tokens: stop_tokens ?? endTokens(this.tokenizer),
    });
    if (max_output_tokens !== null && !(Number.isInteger(max_output_tokens) && max_output_tokens >= 1))
      throw new RangeError(`max_output_tokens: found ${max_output_tokens}, allowed whole numbers from 1`);
    const most = ids.map(({ length }) =>
      Math.min(max_output_tokens ?? Number.POSITIVE_INFINITY, this.max_model_len - length),
    );
    const capacity = Math.max(1, ...ids.map(({ length }, i) => length + (most[i] ?? 0)));
    const draw = drawOf(seed, 0, 0);
    const stops = StopStrings.of(stop_strings, this.tokenizer);
    const written = await this.#with(adapter, async ({ decodings }) =>
      generate(await decodings.open(ids.length, capacity), ids, { settings, stops, most, draw }),
    );
    return {
      completions: written.map((completion) => completion.ids),
      log_probs: written.map(({ log_probs }) => log_probs),
    };
  }

  /**
   * Writes an ONNX model with its cache as inputs and outputs, in the layout of Optimum and transformers.js:
   * `onnx/model.onnx` with `onnx/model.onnx_data`, `config.json`, `generation_config.json`, the tokenizer's files.
   * @throws StorageError `full`, `locked` or `io`, and then the directory has no complete model; SpecError or
   *   StorageError for an adapter of another model.
   */
  async exportOnnx(
    dir: string,
    { adapter = null, store }: { readonly adapter?: LoraAdapter | null; readonly store?: FileStore } = {},
  ): Promise<void> {
    const { config, tokenizer, folder } = this.parts;
    const fitted = adapter?.for(config, { base_model: this.id }) ?? null;
    const tuning = tuningOfAdapter(config, fitted?.lora ?? null);
    await writeOnnx(store ?? (await defaultStore()), dir, {
      config,
      tokenizer,
      weights: await wholeWeights(this.parts),
      adapter: fitted && tuning.kind === "adapter" ? { ...tuning.adapter, weights: fitted.weights } : null,
      folder,
    });
  }

  /** Frees the model's memory on its device. Agents that train it must be closed first. */
  close(): void {
    this.#closed = true;
    for (const passes of this.#passes.values()) passes.release();
    this.#passes.clear();
    this.#model?.release();
    this.#model = null;
    if (this.#owned) this.#device.close();
  }

  /** @internal The weights on the device; those of a built-in model from the first use on. */
  onDevice(): ModelOnDevice {
    if (this.#closed) throw new Error(`LanguageModel ${this.id}: is closed; load it again`);
    const { parts } = this;
    const options = { positions: this.max_model_len };
    this.#model ??= ModelOnDevice.open(parts.config, parts.weights, this.#device, options);
    return this.#model;
  }

  get #limits() {
    return { vocab_size: this.config.vocab_size, max_model_len: this.max_model_len };
  }

  #sequences(input: Omit<SequencesInput, "adapter">): Sequences {
    return readSequences(input, this.#limits, {
      input_ids: "input_ids",
      attention_mask: "attention_mask",
    });
  }

  #with<T>(adapter: LoraAdapter | null, call: (passes: Passes) => Promise<T>): Promise<T> {
    const fitted = adapter?.for(this.config, { base_model: this.id }) ?? null;
    const tuning = tuningOfAdapter(this.config, fitted?.lora ?? null);
    return this.#calls.run(() => {
      const key = shapeKey(tuning);
      const passes = this.#passes.get(key) ?? new Passes(this.onDevice(), tuning, this.acting);
      this.#passes.set(key, passes);
      if (fitted !== null) passes.take(fitted.weights);
      return call(passes);
    });
  }
}

/** Key of an adapter's shape. Adapters with the same key can replace each other. */
const shapeKey = (tuning: Tuning): string => JSON.stringify(tuning);

/** Passes of a model with adapters of one shape, or without an adapter. */
class Passes {
  readonly policy: Policy;
  readonly decodings: Decodings;

  constructor(model: ModelOnDevice, tuning: Tuning, acts: ActingEngine) {
    this.policy = new Policy(model, { tuning, reference: false, critic: false });
    this.decodings = new Decodings(this.policy, acts);
  }

  /** Sets the adapter weights of all later passes. */
  take(adapter: AdapterWeights): void {
    this.policy.write([...adapter].map(([name, values]) => [ownName("actor", name), values]));
  }

  release(): void {
    this.decodings.release();
    this.policy.release();
  }
}
