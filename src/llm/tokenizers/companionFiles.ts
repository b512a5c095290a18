import type { Folder } from "../files/Folder.ts";
import { CharacterTokenizer } from "./CharacterTokenizer.ts";
import type { Tokenizer } from "./Tokenizer.ts";
import { COMPANION_FILES } from "./tokenizerFiles.ts";

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
