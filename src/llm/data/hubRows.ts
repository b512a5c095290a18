/** Data sets of the Hugging Face hub: which files have the rows of a configuration and a split. */
import { z } from "zod";
import {
  type CachedRepository,
  cachedRepository,
  HubError,
  type HubFile,
  type HubListing,
  type HubOptions,
  listRepository,
  type RepositoryListing,
  withFiles,
} from "../../hub/index.ts";
import type { DatasetEnvSpec, RolloutEnvSpec } from "../../specs/sections.ts";
import type { FileStore } from "../../storage/index.ts";
import { ROW_FORMATS } from "./rows.ts";

/** The fields of an environment that name rows on the hub. */
export type HubRowsSpec = Pick<RolloutEnvSpec | DatasetEnvSpec, "hf_dataset_id" | "hf_config" | "hf_split">;

const TRAIN = "train";
/** Of rows that are there in several formats, one is read: the first of these. */
const PREFERRED = ["parquet", "jsonl", "ndjson", "json", "csv"];

const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
/** Descriptions beside the rows. */
const isAbout = (path: string): boolean =>
  /(^|\/)(dataset_infos?|config|metadata|state|croissant)\.json$/.test(path);
const hasRows = ({ path }: HubFile): boolean =>
  ROW_FORMATS.some((format) => format === endingOf(path)) && !isAbout(path);

const patterns = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const dataFiles = z.union([
  patterns.transform((path) => [{ split: TRAIN, path }]),
  z.array(z.looseObject({ split: z.string().default(TRAIN), path: patterns })),
]);

/** Files by split. */
type Splits = ReadonlyMap<string, readonly HubFile[]>;

/** A pattern of paths, with `*`, `**` and `?`, as an expression. */
function matching(pattern: string): RegExp {
  const source = pattern
    .replace(/^\.\//, "")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/?|\*|\?/g, (found) => (found.startsWith("**") ? ".*" : found === "*" ? "[^/]*" : "[^/]"));
  return new RegExp(`^${source}$`);
}

/** The splits of the configuration that the repository's card describes; `null` if it describes none. */
function describedSplits({ id, files, configs }: RepositoryListing, hf_config: string | null): Splits | null {
  const known = configs.filter(({ data_files }) => dataFiles.safeParse(data_files).success);
  if (known.length === 0) return null;
  const names = known.map(({ config_name }) => config_name);
  const usual =
    known.find((one) => one.default) ?? known.find(({ config_name }) => config_name === "default");
  const config =
    hf_config === null
      ? (usual ?? (known.length === 1 ? known[0] : undefined))
      : known.find(({ config_name }) => config_name === hf_config);
  if (config === undefined) {
    const found = hf_config === null ? "has several configurations" : `has no configuration "${hf_config}"`;
    throw new HubError(id, `${found}; name one in hf_config: ${names.join(", ")}`);
  }
  const splits = new Map<string, HubFile[]>();
  for (const { split, path } of dataFiles.parse(config.data_files)) {
    const own = path.flatMap((pattern) => files.filter((file) => matching(pattern).test(file.path)));
    splits.set(split, [...(splits.get(split) ?? []), ...own.filter(hasRows)]);
  }
  return splits;
}

/** Words in paths that name a split, by split. */
const WORDS: Readonly<Record<string, RegExp>> = {
  [TRAIN]: /(^|[/._-])(train|training)([/._-]|$)/i,
  test: /(^|[/._-])(test|testing|eval|evaluation)([/._-]|$)/i,
  validation: /(^|[/._-])(validation|valid|val|dev)([/._-]|$)/i,
};

/** The splits that the names of files and folders tell, as the library `datasets` reads them. */
function namedSplits({ id, files }: RepositoryListing, hf_config: string | null): Splits {
  const all = files.filter(hasRows);
  const rows = hf_config === null ? all : all.filter(({ path }) => path.split("/").includes(hf_config));
  if (rows.length === 0) {
    const of = hf_config === null || all.length === 0 ? "" : ` in a folder "${hf_config}" (hf_config)`;
    const found = files.slice(0, 4).map(({ path }) => path);
    throw new HubError(
      id,
      `has no rows${of}, allowed files that end in ${ROW_FORMATS.join(", ")}; found ${found.join(", ") || "no file"}`,
    );
  }
  const splits = new Map<string, HubFile[]>();
  for (const file of rows) {
    const split = Object.keys(WORDS).find((name) => WORDS[name]?.test(file.path)) ?? file.path;
    splits.set(split, [...(splits.get(split) ?? []), file]);
  }
  // Without names of splits, all files are for training.
  return [...splits.keys()].some((split) => split in WORDS) ? splits : new Map([[TRAIN, rows]]);
}

/** Name of the part of a repository that a configuration and a split are. */
const partOf = ({ hf_config, hf_split }: HubRowsSpec): string => `${hf_config ?? ""}.${hf_split ?? ""}`;

/** What the cache knows the rows of a manifest's environment by. */
const placeOf = (spec: HubRowsSpec) =>
  ({ kind: "dataset", id: spec.hf_dataset_id ?? "", part: partOf(spec) }) as const;

/**
 * Lists the files with the rows of a manifest's environment, with sizes and licence. Loads none of them.
 * @throws HubError for a repository that is missing, private, gated or without rows, and for a configuration or split
 *   that it does not have, naming those it has.
 */
export async function listHubRows(spec: HubRowsSpec, options: HubOptions = {}): Promise<HubListing> {
  const id = spec.hf_dataset_id ?? "";
  const { configs, ...listing } = await listRepository("dataset", id, options);
  const found = { ...listing, configs };
  const splits = describedSplits(found, spec.hf_config) ?? namedSplits(found, spec.hf_config);
  const names = [...splits.keys()];
  const split = spec.hf_split ?? (splits.has(TRAIN) || names.length > 1 ? TRAIN : (names[0] ?? TRAIN));
  const files = splits.get(split) ?? [];
  if (files.length === 0)
    throw new HubError(
      id,
      `has no rows in the split "${split}"; name one in hf_split: ${names.join(", ") || "none"}`,
    );
  const format = PREFERRED.find((one) => files.some(({ path }) => endingOf(path) === one));
  const own = files.filter(({ path }) => endingOf(path) === format);
  return withFiles({ ...listing, part: partOf(spec) }, own);
}

/** The rows' files in the cache; `null` if they have to be fetched. @throws HubError for files that were changed. */
export const cachedHubRows = (spec: HubRowsSpec, store?: FileStore): Promise<CachedRepository | null> =>
  cachedRepository(placeOf(spec), store);
