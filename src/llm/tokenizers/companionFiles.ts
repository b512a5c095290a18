import type { Folder } from "../files/Folder.ts";
import { CharacterTokenizer } from "./CharacterTokenizer.ts";
import type { Tokenizer } from "./Tokenizer.ts";

/** Files of a model's folder that belong to its tokenizer, or name its licence. */
export const COMPANION_FILES = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "chat_template.jinja",
  "vocab.json",
  "merges.txt",
  "tokenizer.model",
  "LICENSE",
];

interface TokenizerSource {
  readonly tokenizer: Tokenizer;
  /** The model's folder; `null` for a built-in model. */
  readonly folder: Folder | null;
}

/** The files of a model's tokenizer, and its licence, by name. A built-in model's are written anew. */
export async function companionFiles({
  tokenizer,
  folder,
}: TokenizerSource): Promise<Map<string, Uint8Array>> {
  if (!folder) return tokenizer instanceof CharacterTokenizer ? tokenizer.files() : new Map();
  const files = new Map<string, Uint8Array>();
  for (const name of COMPANION_FILES) {
    const bytes = await folder.readFile(name);
    if (bytes !== null) files.set(name, bytes);
  }
  return files;
}
