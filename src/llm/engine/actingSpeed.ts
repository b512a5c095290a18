/** Compares what may generate a model's completions, on a part of its layers. */
import { WasmDevice } from "../../kernels/index.ts";
import { type ModelConfig, weightsOf } from "../models/ModelConfig.ts";
import { ownName, ownWeights, type Tuning } from "../models/WeightSource.ts";
import { ACTING_ENGINES, type ActingEngine, Decodings } from "./Decodings.ts";
import { ModelOnDevice } from "./ModelOnDevice.ts";
import { Policy } from "./Policy.ts";

/** Weights of the part: more than fit into caches of CPUs. */
const PART_WEIGHTS = 16 * 2 ** 20;
/** Tokens of the part, whose output layer is then as large as a few layers. */
const PART_TOKENS = 8192;
/** Tokens that each generates in turn; the first one after a prompt is not measured. */
const MEASURED = 4;
const ROUNDS = 3;
/** Tokens in the cache before. */
const PROMPT = 128;

const countOf = ({ shape }: { readonly shape: readonly number[] }): number =>
  shape.reduce((a, b) => a * b, 1);

/** The model with as many of its layers, at least one, as hold {@link PART_WEIGHTS}, and with few tokens. */
function partOf(config: ModelConfig): ModelConfig {
  const part = { ...config, vocab_size: Math.min(config.vocab_size, PART_TOKENS) };
  const weights = (num_layers: number): number =>
    weightsOf({ ...part, num_layers }).reduce((all, decl) => all + countOf(decl), 0);
  const [none, one] = [weights(0), weights(1)];
  const most = Math.max(1, Math.floor((PART_WEIGHTS - none) / (one - none)));
  const num_layers = Math.min(config.num_layers, most);
  const { layer_kinds } = config;
  return { ...part, num_layers, ...(layer_kinds && { layer_kinds: layer_kinds.slice(0, num_layers) }) };
}

/** Weights with numbers of their size, made one at a time, because what JavaScript holds at once stays in the process. */
function* valuesOf<T extends { readonly shape: readonly number[] }>(
  weights: readonly T[],
  nameOf: (weight: T) => string,
): Generator<readonly [string, Float32Array]> {
  for (const weight of weights) {
    const values = Float32Array.from(
      { length: countOf(weight) },
      (_, i) => (((i * 7919) % 251) - 125) / 5000,
    );
    yield [nameOf(weight), values];
  }
}

export interface ActingSpeed {
  /** Layers of the measured part. */
  readonly layers: number;
  /** Weights of the measured part. */
  readonly weights: number;
  /** Milliseconds for one more token of each row in the part. */
  readonly milliseconds: Readonly<Record<ActingEngine, number>>;
}

/**
 * Measures a token of each way to act, in turn, in this thread on wasm.
 * @param rows Rows that generate together.
 * @throws Error when onnxruntime cannot be loaded; OutOfMemoryError.
 */
export async function measureActing(config: ModelConfig, tuning: Tuning, rows: number): Promise<ActingSpeed> {
  const part = partOf(config);
  const own: Tuning =
    tuning.kind === "adapter"
      ? {
          ...tuning,
          adapter: {
            ...tuning.adapter,
            targets: weightsOf(part)
              .map(({ name }) => name)
              .filter((name) => tuning.adapter.targets.includes(name)),
          },
        }
      : tuning;
  const device = new WasmDevice();
  const positions = Math.min(config.max_position_embeddings, PROMPT + MEASURED + 1);
  const weights = own.kind === "whole" ? null : valuesOf(weightsOf(part), ({ name }) => name);
  const model = ModelOnDevice.open(part, weights, device, { positions });
  const policy = new Policy(model, { tuning: own, reference: false, critic: false });
  const ways = ACTING_ENGINES.map((engine) => ({
    engine,
    decodings: new Decodings(policy, engine),
    best: Infinity,
  }));
  try {
    policy.write(valuesOf(ownWeights(weightsOf(part), own), ({ name }) => ownName("actor", name)));
    for (let round = 0; round < ROUNDS; round++)
      for (const way of ways) {
        const decoding = await way.decodings.open(rows, positions);
        const extend = (count: number) =>
          decoding.extend(
            Array.from({ length: rows }, (_, row) =>
              Array.from({ length: count }, (_, i) => (row + i) % part.vocab_size),
            ),
          );
        await extend(Math.min(PROMPT, positions - MEASURED - 1));
        await extend(1);
        for (let i = 0; i < MEASURED; i++) {
          const start = performance.now();
          await extend(1);
          way.best = Math.min(way.best, performance.now() - start);
        }
      }
  } finally {
    for (const { decodings } of ways) decodings.release();
    policy.release();
    model.release();
    device.close();
  }
  // One for each engine.
  const milliseconds = Object.fromEntries(
    ways.map(({ engine, best }) => [engine, best]),
  ) as ActingSpeed["milliseconds"];
  const count = weightsOf(part).reduce((all, decl) => all + countOf(decl), 0);
  return { layers: part.num_layers, weights: count, milliseconds };
}
