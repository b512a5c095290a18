/** The record of a data set stored in the browser. */
import { z } from "zod";
import { DATASET_FORMAT } from "../../storage/checkpoints.ts";
import { isPlainRelativePath, reasonOf } from "../../storage/files.ts";
import { type FileStore, joinPath, migrate, StorageError, sha256Hex } from "../../storage/index.ts";

/** Each data set has a folder here, named by its SHA-256. */
export const KEPT_DIRECTORY = "/v1/datasets";
/** Prefix of a stored data set's name in manifests. */
export const KEPT_PREFIX = "datasets/";
/** Written last: a folder without this file is not a data set. */
export const COMMIT_FILE = "COMMIT.json";

const fields = z.object({
  /** Unique among the stored data sets. */
  name: z.string().min(1),
  /** SHA-256 of the large file, or for a table of both files concatenated. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  kind: z.enum(["episodes", "table", "rows"]),
  /** How it was obtained. */
  origin: z.enum(["added", "fetched", "recorded", "made"]),
  /** Id under which it was downloaded from the hub. */
  hub_dataset_id: z.string().nullable(),
  /** Id of the environment that produced the data. */
  environment: z.string().nullable(),
  /** Steps of all episodes, or rows. */
  rows: z.int().nonnegative(),
  episodes: z.int().nonnegative().nullable(),
  /** Milliseconds since the epoch. */
  added_at: z.number(),
  files: z
    .array(
      z.object({
        path: z.string().refine(isPlainRelativePath, "is not a plain relative path"),
        size: z.int().nonnegative(),
      }),
    )
    .min(1),
});

/** What is known about a stored data set without opening it. */
export type KeptDataset = Readonly<z.output<typeof fields>>;

/**
 * Whether manifests can name data sets of this store. On a disk users have their own folders;
 * other stores belong to the page.
 */
export const keepsDatasets = ({ kind }: FileStore): boolean => kind !== "disk";

/** Folder of the data set. */
export const keptDirectory = ({ sha256 }: Pick<KeptDataset, "sha256">): string =>
  joinPath(KEPT_DIRECTORY, sha256);

/** File of the rows that language models learn from, as JSON lines. */
export const ROWS_FILE = "rows.jsonl";

/** Its path in a manifest, `dataset_path`. */
export const keptPath = ({ name }: Pick<KeptDataset, "name">): string => `${KEPT_PREFIX}${name}`;

const digestOf = (body: object): Promise<string> => sha256Hex(new TextEncoder().encode(JSON.stringify(body)));

/** Encodes the record. The last field is a hash of the others, which reveals an incomplete file. */
export async function encodeKept(kept: KeptDataset): Promise<Uint8Array> {
  const body = { format: "rlkit.dataset", version: DATASET_FORMAT.version, ...fields.parse(kept) };
  return new TextEncoder().encode(`${JSON.stringify({ ...body, digest: await digestOf(body) }, null, 2)}\n`);
}

const head = z.looseObject({ format: z.literal("rlkit.dataset"), version: z.int() });

/** @throws StorageError `corrupt` for a damaged record, `version` for another format version. */
export async function decodeKept(bytes: Uint8Array, path: string): Promise<KeptDataset> {
  const damaged = (found: string): StorageError =>
    new StorageError("corrupt", path, `${found}; delete the data set and add it again`);
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw damaged(`is not valid JSON (${reasonOf(error)})`);
  }
  const known = head.safeParse(raw);
  if (!known.success) throw damaged("is not the record of a data set");
  const { digest, ...body } = known.data;
  const migrated = migrate(DATASET_FORMAT, known.data.version, body, path);
  if (digest !== (await digestOf(body))) throw damaged("does not match its own digest");
  const record = fields.safeParse(migrated);
  if (!record.success) throw damaged(z.prettifyError(record.error));
  return record.data;
}
