/** A tokenizer of numbered words for models with random weights. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the files of a tokenizer whose words are "w3", "w4" ... */
export function numberedTokenizer(folder: string, words: number): void {
  const special = ["<pad>", "<end>", "<unknown>"];
  const files = {
    "tokenizer.json": {
      version: "1.0",
      added_tokens: special.map((content, id) => ({ id, content, special: true })),
      normalizer: null,
      pre_tokenizer: { type: "WhitespaceSplit" },
      post_processor: null,
      decoder: null,
      model: {
        type: "WordLevel",
        vocab: Object.fromEntries(Array.from({ length: words }, (_, id) => [special[id] ?? `w${id}`, id])),
        unk_token: "<unknown>",
      },
    },
    "tokenizer_config.json": { pad_token: "<pad>", eos_token: "<end>" },
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content));
}
