/** Loads tokenizers from Hugging Face's files. */
import { isStorageError } from "../../storage/index.ts";
import { type Folder, missingFile, placeOf, readJson, readText } from "../files/Folder.ts";
import { AbsentTokenizer } from "./AbsentTokenizer.ts";
import { ChatTemplate } from "./ChatTemplate.ts";
import { HuggingFaceTokenizer } from "./HuggingFaceTokenizer.ts";
import type { Tokenizer } from "./Tokenizer.ts";
import {
  generationConfig,
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
const GENERATION = "generation_config.json";

export interface LoadTokenizerOptions {
  /** Whether raw text gets the special tokens of the file's post-processor (default: true). */
  readonly special_tokens?: boolean;
}

export interface LoadedTokenizer {
  readonly tokenizer: Tokenizer;
  /** Warnings for the owner of the model. */
  readonly warnings: readonly string[];
}

/**
 * Reads `tokenizer.json`, the special tokens in `tokenizer_config.json` (or else
 * `special_tokens_map.json`), the chat template, and the ids in `generation_config.json` that end a completion. The template is in `chat_template.jinja`, or else in
 * `tokenizer_config.json`; if that has several, the one named "default" is used. Without a padding token
 * the end token is used, with a warning. The special tokens of raw text are those of the post-processor in
 * `tokenizer.json`, as in transformers 5; `add_bos_token` and `add_eos_token` have no effect.
 * @throws StorageError `not_found` without `tokenizer.json`, `corrupt` for files that are not JSON. SpecError naming
 *   fields that are invalid or not supported, and for a tokenizer without an end token.
 */
export async function loadTokenizer(
  folder: Folder,
  { special_tokens = true }: LoadTokenizerOptions = {},
): Promise<LoadedTokenizer> {
  const file = await readJson(folder, TOKENIZER, tokenizerFile);
  if (file === null) {
    const advice =
      "only fast tokenizers are supported; save one in Python with AutoTokenizer.from_pretrained(..).save_pretrained(..)";
    throw missingFile(folder, TOKENIZER, advice);
  }
  const config = (await readJson(folder, CONFIG, tokenizerConfig)) ?? {};
  const tokens = specialTokensOf(config, await readJson(folder, SPECIAL, specialFile));
  const tokenizer = new HuggingFaceTokenizer({
    file: special_tokens ? file : { ...file, post_processor: null },
    config,
    tokens,
    template: await chatTemplate(folder, config, tokens),
    stops: await stopIds(folder),
    place: placeOf(folder, CONFIG),
  });
  const place = placeOf(folder, CONFIG);
  const padding = `${place}: pad_token: missing; eos_token ${JSON.stringify(tokens.get("eos_token"))} is used for padding`;
  const warnings = tokens.has("pad_token") ? [] : [padding];
  for (const part of ["truncation", "padding"] as const)
    if ((file[part] ?? null) !== null)
      warnings.push(
        `${placeOf(folder, TOKENIZER)}: ${part}: is not applied, as in transformers; max_context_length limits rows`,
      );
  if (special_tokens) warnings.push(...unheeded(config, tokenizer, place));
  return { tokenizer, warnings };
}

/** Warnings for `add_bos_token` and `add_eos_token` where `tokenizer.json` says otherwise. */
function unheeded(config: TokenizerConfig, tokenizer: HuggingFaceTokenizer, place: string): string[] {
  const { before, after } = tokenizer.special_ids;
  const roles = [
    ["bos_token", before],
    ["eos_token", after],
  ] as const;
  return roles.flatMap(([role, added]) => {
    const asked = config[`add_${role}`];
    const [id] = tokenizer.encode(tokenizer.special_tokens.get(role) ?? "");
    const adds = id !== undefined && added.includes(id);
    if (typeof asked !== "boolean" || asked === adds) return [];
    const does = adds ? "adds it to raw text" : "does not add it to raw text";
    return [
      `${place}: add_${role}: found ${asked}, but the post_processor of ${TOKENIZER} ${does}, which decides`,
    ];
  });
}

/** Like {@link loadTokenizer}, but if `tokenizer.json` is missing, the tokenizer throws on use. */
export async function loadTokenizerIfThere(folder: Folder): Promise<LoadedTokenizer> {
  try {
    return await loadTokenizer(folder);
  } catch (error) {
    if (!isStorageError(error, "not_found")) throw error;
    return { tokenizer: new AbsentTokenizer(error, await stopIds(folder)), warnings: [] };
  }
}

async function stopIds(folder: Folder): Promise<readonly number[]> {
  const { eos_token_id } = (await readJson(folder, GENERATION, generationConfig)) ?? {};
  return typeof eos_token_id === "number" ? [eos_token_id] : (eos_token_id ?? []);
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
