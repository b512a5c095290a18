/** Models of the Hugging Face hub: what they have before they are loaded, their downloads, and the cache of them. */
import {
  type CachedRepository,
  type FetchOptions,
  fetchRepository,
  HubError,
  type HubFile,
  type HubListing,
  type HubOptions,
  listCached,
  listRepository,
  RemoteFile,
  readHubText,
  removeCached,
  withFiles,
} from "../../hub/index.ts";
import { reasonOf } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import { type Folder, parseAs } from "../files/Folder.ts";
import { type ModelConfig, weightsOf } from "./ModelConfig.ts";
import { parseConfig } from "./parseConfig.ts";
import { INDEX, index, WEIGHTS } from "./weightFiles.ts";

/** Files that are loaded where there are any, beside the weights. */
const BESIDE = [
  "generation_config.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "chat_template.jinja",
];
const CONFIG = "config.json";
const TOKENIZER = "tokenizer.json";

const weightIndex = (content: unknown, place: string) => parseAs(index, content, place);

/** A model of the hub before it is loaded: its files, and its sizes for an estimate. */
export interface HubModelListing extends HubListing {
  readonly config: ModelConfig;
  /** Number of the model's weights, which take four bytes each in memory. */
  readonly weights: number;
}

/** What a repository is that has no model for this library. */
function foreign(id: string, files: readonly HubFile[]): HubError {
  const has = (pattern: RegExp): string | undefined => files.find(({ path }) => pattern.test(path))?.path;
  const fail = (what: string): HubError =>
    new HubError(
      id,
      `${what}, allowed models as transformers saves them: ${CONFIG}, ${TOKENIZER} and *.safetensors`,
    );
  if (has(/^adapter_config\.json$/)) return fail("is an adapter without its model; name its base model");
  if (has(/^model_index\.json$/)) return fail("is a pipeline of diffusers");
  const other = has(/\.(gguf|bin|pt|pth|h5|msgpack|onnx|ckpt)$/);
  if (other !== undefined) return fail(`has its weights in another format only (${other})`);
  const first = files.slice(0, 4).map(({ path }) => path);
  return fail(`has no model (found ${first.join(", ") || "no file"})`);
}

async function readAs<T>(
  listing: HubListing,
  path: string,
  options: HubOptions,
  parse: (content: unknown, place: string) => T,
): Promise<T> {
  const place = `${listing.id}/${path}`;
  const text = await readHubText(listing, path, options);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new HubError(listing.id, `${path}: is not valid JSON (${reasonOf(error)})`, { cause: error });
  }
  return parse(content, place);
}

/**
 * Lists what a model of the hub needs, with sizes and licence. Loads its `config.json` only, and an index of its weights.
 * @param id OWNER/NAME, or OWNER/NAME@REVISION.
 * @throws HubError for a repository that is missing, private, gated or no model of transformers in safetensors;
 *   SpecError naming what this library does not support in its config.
 *
 * @example
 * ```ts
 * const listing = await listHubModel("HuggingFaceTB/SmolLM2-135M-Instruct");
 * console.log(listing.bytes, listing.licence);
 * const model = await LanguageModel.load(await fetchHubModel(listing));
 * ```
 */
export async function listHubModel(id: string, options: HubOptions = {}): Promise<HubModelListing> {
  const { configs: _configs, ...listing } = await listRepository("model", id, options);
  const files = new Map(listing.files.map((file) => [file.path, file]));
  if (!files.has(CONFIG) || !(files.has(WEIGHTS) || files.has(INDEX))) throw foreign(id, listing.files);
  const config = await readAs(listing, CONFIG, options, parseConfig);
  if (!files.has(TOKENIZER))
    throw new HubError(
      id,
      `has no ${TOKENIZER}; only fast tokenizers are supported; save the model in Python with AutoTokenizer.from_pretrained(..).save_pretrained(path)`,
    );
  const parts = files.has(WEIGHTS)
    ? [WEIGHTS]
    : [INDEX, ...new Set(Object.values((await readAs(listing, INDEX, options, weightIndex)).weight_map))];
  const lost = parts.find((path) => !files.has(path));
  if (lost !== undefined) throw new HubError(id, `lacks ${lost}, which ${INDEX} names`);
  const needed = [CONFIG, TOKENIZER, ...BESIDE, ...parts];
  return {
    ...withFiles(
      listing,
      needed.map((path) => files.get(path)).filter((file) => file !== undefined),
    ),
    config,
    weights: weightsOf(config).reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0),
  };
}

/**
 * Downloads a listed model into the cache, unless it is there: resumed after a break, each file checked by size and hash.
 * @returns the folder of its files.
 * @throws HubError for a file that cannot be downloaded or differs from the listing, or a full disk; then the cache has
 *   no such model, or the one it had.
 *
 * @example
 * ```ts
 * const listing = await listHubModel("HuggingFaceTB/SmolLM2-135M-Instruct");
 * const folder = await fetchHubModel(listing, { onProgress: ({ received }) => console.log(received) });
 * ```
 */
export const fetchHubModel = (listing: HubModelListing, options: FetchOptions = {}): Promise<string> =>
  fetchRepository(listing, options);

/** A listed model as a folder, whose files are read from the hub as they are needed, in parts, and not stored. */
export function hubModelFolder(listing: HubListing, options: HubOptions = {}): Folder {
  const openFile = async (name: string) => {
    const file = listing.files.find(({ path }) => path === name);
    return file ? RemoteFile.of(listing, file, options) : null;
  };
  return {
    path: listing.id,
    openFile,
    readFile: async (name) => {
      const file = await openFile(name);
      return file && new Uint8Array(await file.arrayBuffer());
    },
  };
}

/**
 * The hub's models in the cache, also those whose download is not complete.
 *
 * @example
 * ```ts
 * for (const { id, bytes } of await listFetchedModels()) console.log(id, bytes);
 * ```
 */
export const listFetchedModels = (store?: FileStore): Promise<readonly CachedRepository[]> =>
  listCached("model", store);

/**
 * Deletes a model of the hub from the cache.
 * @returns whether it was there.
 *
 * @example
 * ```ts
 * await deleteFetchedModel("HuggingFaceTB/SmolLM2-135M-Instruct");
 * ```
 */
export const deleteFetchedModel = (id: string, store?: FileStore): Promise<boolean> =>
  removeCached("model", id, store);
