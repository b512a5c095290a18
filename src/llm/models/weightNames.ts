/** Names of weights in files, which differ between hub files and versions of transformers. */
import { type ModelConfig, type ModelFamily, weightsOf } from "./ModelConfig.ts";

/** The output layer. With tied embeddings, a file may contain it in addition to the embedding. */
export const OUTPUT_LAYER = "lm_head.weight";

/** The token embedding, which the output layer may be tied to. */
export const embeddingName = (family: ModelFamily): string =>
  family === "gpt2" ? "transformer.wte.weight" : "model.embed_tokens.weight";

/**
 * Constants that old versions stored with the weights: causal masks, and wavelengths of rotary embeddings.
 */
const BUFFERS = /(^|\.)(h\.\d+\.attn\.(bias|masked_bias)|rotary_emb\.inv_freq)$/;

/** Shapes by the names from `weightsOf`, including a tied output layer. */
export function shapesOf(config: ModelConfig): ReadonlyMap<string, readonly number[]> {
  const { vocab_size, hidden_size, tie_word_embeddings } = config;
  const shapes = new Map(weightsOf(config).map(({ name, shape }) => [name, shape]));
  return tie_word_embeddings ? shapes.set(OUTPUT_LAYER, [vocab_size, hidden_size]) : shapes;
}

/**
 * Maps a name in a file to the name from `weightsOf`, also for a model saved without
 * its head; `null` for a buffer.
 */
export function weightName(
  config: ModelConfig,
  shapes: ReadonlyMap<string, unknown>,
  nameInFile: string,
): string | null {
  if (BUFFERS.test(nameInFile)) return null;
  const prefixed = `${config.family === "gpt2" ? "transformer" : "model"}.${nameInFile}`;
  return !shapes.has(nameInFile) && shapes.has(prefixed) ? prefixed : nameInFile;
}
