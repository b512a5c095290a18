/** The weights in a model's folder, checked against its config by their headers, and read in parts. */
import {
  type BinaryFile,
  type FloatsPart,
  readFloatParts,
  requireFloats,
  StorageError,
  type TensorPlace,
} from "../../storage/index.ts";
import { type Folder, placeOf } from "../files/Folder.ts";
import { embeddingName, OUTPUT_LAYER } from "./families.ts";
import { type ModelConfig, weightsOf } from "./ModelConfig.ts";
import { shapesOf, WEIGHTS, weightFiles, weightName } from "./weightFiles.ts";

/** Consecutive elements of the weight `name`. */
export interface WeightPart extends FloatsPart {
  readonly name: string;
}

interface StoredTensor {
  /** Its file's path in errors. */
  readonly file: string;
  readonly data: BinaryFile;
  readonly place: TensorPlace;
}

const partsOf = ({ data, place, file }: StoredTensor): AsyncGenerator<FloatsPart> =>
  readFloatParts(data, place, file);

export class StoredWeights {
  /** In the order of the model's weights. */
  readonly #tensors: ReadonlyMap<string, StoredTensor>;
  /** An output layer that the files have in addition to the embedding that it is tied to. */
  readonly #output: { readonly output: StoredTensor; readonly tied: StoredTensor } | null;

  private constructor(
    tensors: ReadonlyMap<string, StoredTensor>,
    output: { readonly output: StoredTensor; readonly tied: StoredTensor } | null,
  ) {
    this.#tensors = tensors;
    this.#output = output;
  }

  /**
   * Finds the weights of a config, reading only headers of files.
   * @throws StorageError `not_found` for a missing file, `corrupt` for tensors that are damaged, missing, surplus, of
   *   another shape, or not floating-point numbers.
   */
  static async open(folder: Folder, config: ModelConfig): Promise<StoredWeights> {
    const shapes = shapesOf(config);
    const found = new Map<string, StoredTensor>();
    for await (const { file, data, places } of weightFiles(folder)) {
      for (const place of places) {
        const name = weightName(config, shapes, place.name);
        if (name === null) continue;
        if (found.has(name)) throw new StorageError("corrupt", file, `has "${name}" twice; use another copy`);
        requireShape(place, shapes.get(name), file);
        requireFloats(place, file);
        found.set(name, { file, data, place });
      }
    }
    const inOrder = complete(found, config, placeOf(folder, WEIGHTS));
    const [output, tied] = [found.get(OUTPUT_LAYER), found.get(embeddingName(config))];
    const doubled = config.tie_word_embeddings && output && tied ? { output, tied } : null;
    return new StoredWeights(inOrder, doubled);
  }

  /**
   * Reads all weights.
   * @throws StorageError `changed` if a file changes meanwhile; `corrupt` for a separate output layer that differs from
   *   the embedding that it is tied to, because one of the two would be lost.
   */
  async *parts(): AsyncGenerator<WeightPart> {
    if (this.#output) await requireEqual(this.#output);
    for (const [name, tensor] of this.#tensors)
      for await (const part of partsOf(tensor)) yield { name, ...part };
  }

  /** All weights in host memory. @throws As {@link StoredWeights.parts}. */
  async whole(): Promise<Map<string, Float32Array>> {
    const sizes = [...this.#tensors].map(
      ([name, { place }]) => [name, place.shape.reduce((a, b) => a * b, 1)] as const,
    );
    const weights = new Map(sizes.map(([name, size]) => [name, new Float32Array(size)]));
    for await (const { name, first, values } of this.parts()) weights.get(name)?.set(values, first);
    return weights;
  }
}

function requireShape({ name, shape }: TensorPlace, allowed: readonly number[] | undefined, file: string) {
  if (allowed === undefined)
    throw new StorageError(
      "corrupt",
      file,
      `has "${name}", which a model with this config.json does not have`,
    );
  if (shape.length === allowed.length && shape.every((size, axis) => size === allowed[axis])) return;
  const [is, due] = [shape, allowed].map((sizes) => `[${sizes.join(", ")}]`);
  throw new StorageError("corrupt", file, `"${name}" has shape ${is}, where config.json asks for ${due}`);
}

async function requireEqual({
  output,
  tied,
}: {
  readonly output: StoredTensor;
  readonly tied: StoredTensor;
}) {
  const parts = partsOf(tied);
  for await (const { values } of partsOf(output)) {
    // Both have the same shape, and so the same parts.
    const other = ((await parts.next()).value as FloatsPart).values;
    if (values.every((value, i) => Object.is(value, other[i]))) continue;
    throw new StorageError(
      "corrupt",
      output.file,
      `"${output.place.name}" differs from "${tied.place.name}", but config.json says tie_word_embeddings: true; set it to false`,
    );
  }
}

/** Number of names that a message lists; the rest are only counted. */
const MOST_NAMED = 5;

function complete(
  found: ReadonlyMap<string, StoredTensor>,
  config: ModelConfig,
  file: string,
): ReadonlyMap<string, StoredTensor> {
  const inOrder = new Map<string, StoredTensor>();
  const absent: string[] = [];
  for (const { name } of weightsOf(config)) {
    const tensor = found.get(name);
    if (tensor === undefined) absent.push(name);
    else inOrder.set(name, tensor);
  }
  if (absent.length === 0) return inOrder;
  const more = absent.length > MOST_NAMED ? ` and ${absent.length - MOST_NAMED} more` : "";
  const names = absent.slice(0, MOST_NAMED).join(", ");
  throw new StorageError("corrupt", file, `lacks ${names}${more}, which config.json asks for`);
}
