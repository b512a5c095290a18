/** Tokenizers from the files of Hugging Face's libraries. */
import { isStorageError } from "../../storage/index.ts";
import { type Folder, missingFile, placeOf, readJson, readText } from "../files/Folder.ts";
import { AbsentTokenizer } from "./AbsentTokenizer.ts";
import { ChatTemplate } from "./ChatTemplate.ts";
import { HuggingFaceTokenizer } from "./HuggingFaceTokenizer.ts";
import type { Tokenizer } from "./Tokenizer.ts";
import {
  specialFile,
  specialTokensOf,
  type TokenizerConfig,
  tokenizerConfig,
  tokenizerFile,
} from "./tokenizerFiles.ts";

const TOKENIZER = "tokenizer.json";
const CONFIG = "tokenizer_config.json";
const SPECIAL = "special_tokens_map.json";
const TEMPLATE = "chat_template.jinja";

export interface LoadedTokenizer {
  readonly tokenizer: Tokenizer;
  /** What the owner of the model should know. */
  readonly warnings: readonly string[];
}

/**
 * Reads `tokenizer.json`, `tokenizer_config.json` (special tokens, else from `special_tokens_map.json`), and the chat
 * template: `chat_template.jinja`, else the one in `tokenizer_config.json`, of several the one named "default". Without a
 * token for padding the token of the end pads, with a warning.
 * @throws StorageError `not_found` without `tokenizer.json`, `corrupt` for files that describe no tokenizer. SpecError for
 *   fields that are wrong, and for a tokenizer without a token for the end.
 */
export async function loadTokenizer(folder: Folder): Promise<LoadedTokenizer> {
  const file = await readJson(folder, TOKENIZER, tokenizerFile);
  if (file === null) {
    const advice =
      "only fast tokenizers are read; in Python: AutoTokenizer.from_pretrained(..).save_pretrained(..)";
    throw missingFile(folder, TOKENIZER, advice);
  }
  const config = (await readJson(folder, CONFIG, tokenizerConfig)) ?? {};
  const tokens = specialTokensOf(config, await readJson(folder, SPECIAL, specialFile));
  const tokenizer = new HuggingFaceTokenizer({
    file,
    config,
    tokens,
    template: await chatTemplate(folder, config, tokens),
    places: { file: placeOf(folder, TOKENIZER), config: placeOf(folder, CONFIG) },
  });
  const warning = `${placeOf(folder, CONFIG)}: pad_token: missing; eos_token ${JSON.stringify(tokens.get("eos_token"))} pads`;
  return { tokenizer, warnings: tokens.has("pad_token") ? [] : [warning] };
}

/** As {@link loadTokenizer}; of a folder without `tokenizer.json`, one that says so when it is used. */
export async function loadTokenizerIfThere(folder: Folder): Promise<LoadedTokenizer> {
  try {
    return await loadTokenizer(folder);
  } catch (error) {
    if (isStorageError(error, "not_found")) return { tokenizer: new AbsentTokenizer(error), warnings: [] };
    throw error;
  }
}

async function chatTemplate(
  folder: Folder,
  { chat_template: inConfig }: TokenizerConfig,
  tokens: ReadonlyMap<string, string>,
): Promise<ChatTemplate | null> {
  const text = await readText(folder, TEMPLATE);
  if (text !== null) return new ChatTemplate(text, tokens, placeOf(folder, TEMPLATE));
  const source =
    typeof inConfig === "object" ? inConfig?.find(({ name }) => name === "default")?.template : inConfig;
  if (source === undefined || source === null) return null;
  return new ChatTemplate(source, tokens, `${placeOf(folder, CONFIG)}: chat_template`);
}
