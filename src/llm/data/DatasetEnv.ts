/** Batches of labelled rows, for DPO, KTO and SFT. */
import type { DatasetEnvSpec, DatasetFitness } from "../../specs/sections.ts";
import { withTemplateOf } from "../tokenizers/TemplatedTokenizer.ts";
import {
  type EncodedRow,
  EXAMPLE_KEYS,
  type PreferenceBatch,
  preferenceBatch,
  type SftBatch,
  sftBatch,
  type UnpairedBatch,
  unpairedBatch,
} from "./batches.ts";
import {
  checkDatasetOptions,
  type DatasetEnvOptions,
  examplesOf,
  fitnessOf,
  type Objective,
} from "./datasetEnvOptions.ts";
import { loadSplit, type RowSource, textReader } from "./loadSplit.ts";
import { RowOrder } from "./rowOrder.ts";
import { type RewardWeights, type Rubric, warnOfOverlap } from "./rows.ts";

const BATCHES = { sft: sftBatch, preference: preferenceBatch, unpaired: unpairedBatch };

type BatchOf<O extends Objective> = O extends "sft"
  ? SftBatch
  : O extends "unpaired"
    ? UnpairedBatch
    : PreferenceBatch;

/**
 * Labelled rows in batches. Every epoch shuffles the rows in its own order, which depends only on the seed.
 *
 * @example
 * ```ts
 * const { tokenizer } = await LanguageModel.load("rlkit/tiny-letters");
 * const train = [{ prompt: "abcd", response: "dcba" }];
 * const test = [{ prompt: "bcde", response: "edcb" }];
 * const env = new DatasetEnv({ train, test, tokenizer, objective: "sft" });
 * const { input_ids, prompt_lengths } = env.reset();
 * const held_out = env.evalMode(() => env.reset());
 * ```
 */
export class DatasetEnv<O extends Objective = Objective> {
  readonly objective: O;
  readonly data_batch_size_per_gpu: number;
  /** What an evaluation measures. */
  readonly fitness: DatasetFitness;
  /** Rewards greedy answers, with the fitness `rubric`. */
  readonly rubric: Rubric | null;
  /** Weights of the components of its rewards. */
  readonly reward_weights: RewardWeights | null;
  readonly #pad_token_id: number;
  readonly #train: readonly EncodedRow[];
  readonly #test: readonly EncodedRow[];
  readonly #order: RowOrder;
  #batches = 0;
  /** Batches drawn in evaluation mode; `null` outside it. */
  #evaluated: number | null = null;

  /**
   * @throws TypeError or RangeError naming an invalid option; Error naming missing columns and those
   *   found, or if no row is left.
   */
  constructor(options: DatasetEnvOptions<O>) {
    checkDatasetOptions(options);
    this.objective = options.objective;
    this.data_batch_size_per_gpu = options.data_batch_size_per_gpu ?? 8;
    this.fitness = fitnessOf(options);
    this.rubric = options.rubric ?? null;
    this.reward_weights = options.reward_weights ?? null;
    this.#pad_token_id = options.tokenizer.pad_token_id;
    this.#train = examplesOf("train", options.train, options);
    const test = options.test ?? [];
    this.#test = test.length === 0 ? this.#train : examplesOf("test", test, options);
    if (test.length > 0)
      warnOfOverlap({ train: this.#train, test: this.#test }, EXAMPLE_KEYS, "DatasetEnv: test");
    this.#order = new RowOrder(this.#train.length, options.seed ?? 42);
  }

  /**
   * Loads the data set of a manifest's environment.
   *
   * @param options Options that manifests do not have.
   * @throws Error as the constructor, and for data sets that are not supported, with an alternative.
   */
  static async fromSpec(
    spec: DatasetEnvSpec,
    options: Pick<
      DatasetEnvOptions,
      | "tokenizer"
      | "data_batch_size_per_gpu"
      | "max_context_length"
      | "min_completion_length"
      | "seed"
      | "rubric"
    > &
      RowSource,
  ): Promise<DatasetEnv> {
    const { readText, store, ...rest } = options;
    const source = { ...(readText && { readText }), ...(store && { store }) };
    // The manifest's schema rejects an environment without an objective.
    const objective = spec.objective ?? "sft";
    return new DatasetEnv({
      ...rest,
      tokenizer: await withTemplateOf(rest.tokenizer, spec, textReader(source)),
      ...(await loadSplit(spec, source)),
      objective,
      response_column: spec.response_column,
      prompt_template: spec.prompt_template,
      apply_chat_template: spec.apply_chat_template,
      chat_template_kwargs: spec.chat_template_kwargs,
      fitness: spec.fitness,
      reward_weights: spec.reward_weights,
    });
  }

  /** The first held-out rows, at most `count`, without those of undesirable answers. */
  heldOut(count: number): readonly EncodedRow[] {
    return this.#test.filter(({ label }) => label !== false).slice(0, count);
  }

  /** Number of rows in an epoch; in evaluation mode, of held-out rows. */
  get length(): number {
    return this.#rows.length;
  }

  /** Completed passes over the training rows. */
  get num_epochs(): number {
    return Math.floor(this.#batches / this.#batchesOf(this.#train));
  }

  /** Training batches drawn so far. A resumed run restores this. */
  get position(): number {
    return this.#batches;
  }

  set position(batches: number) {
    this.#batches = batches;
  }

  /**
   * Returns the next training batch or, in evaluation mode, the next batch of
   * held-out rows in their fixed order.
   *
   * @param reset_dataloaders Whether to start again at the first batch.
   */
  reset(reset_dataloaders = false): BatchOf<O> {
    if (this.#evaluated !== null) {
      const batch = reset_dataloaders ? 0 : this.#evaluated;
      this.#evaluated = batch + 1;
      return this.#batch(batch, (row) => row);
    }
    const batch = reset_dataloaders ? 0 : this.#batches;
    this.#batches = batch + 1;
    const epoch = Math.floor(batch / this.#batchesOf(this.#train));
    return this.#batch(batch, (row) => this.#order.at(epoch * this.#train.length + row));
  }

  /**
   * Runs `body` in evaluation mode, starting at the first held-out row. The order of training is unaffected.
   */
  evalMode<T>(body: () => T): T {
    const before = this.#evaluated;
    this.#evaluated = 0;
    const leave = () => {
      this.#evaluated = before;
    };
    try {
      const result = body();
      if (!(result instanceof Promise)) {
        leave();
        return result;
      }
      // `finally` returns a promise of the same type.
      return result.finally(leave) as T;
    } catch (error) {
      leave();
      throw error;
    }
  }

  get #rows(): readonly EncodedRow[] {
    return this.#evaluated === null ? this.#train : this.#test;
  }

  #batchesOf(rows: readonly EncodedRow[]): number {
    return Math.ceil(rows.length / this.data_batch_size_per_gpu);
  }

  #batch(batch: number, rowAt: (place: number) => number): BatchOf<O> {
    const rows = this.#rows;
    const size = this.data_batch_size_per_gpu;
    const start = (batch % this.#batchesOf(rows)) * size;
    const length = Math.min(size, rows.length - start);
    const examples = Array.from({ length }, (_, i) => rows[rowAt(start + i)]).filter(
      (row) => row !== undefined,
    );
    // The objective determines the type of the batch.
    return BATCHES[this.objective](examples, this.#pad_token_id) as BatchOf<O>;
  }
}
