import { z } from "zod";
import { CHECKPOINT_FORMAT as FORMAT, migrate } from "./formats.ts";
import { isPlainRelativePath } from "./paths.ts";
import { sha256Hex } from "./sha256.ts";
import { reasonOf, StorageError } from "./storageError.ts";

/** `format` of a commit record. */
export const CHECKPOINT_FORMAT = "rlkit.checkpoint";
/** Version of the format that this build writes. */
export const CHECKPOINT_VERSION = FORMAT.version;

/** Metadata that the writer of a checkpoint provides. */
export interface CheckpointMeta {
  /** Number of completed generations. */
  readonly generation: number;
  /** Environment steps of the run, counted as its training function counts them. */
  readonly global_step: number;
  /** SHA-256 of the spec; a checkpoint of another structure is rejected before its tensors are read. */
  readonly spec_hash: string;
  /** Best fitness of the population, used to keep the best checkpoint; null if there is none. */
  readonly fitness?: number | null;
  /** Orders the checkpoints of one directory. Defaults to the time in milliseconds. */
  readonly sequence?: number;
  /** Creation time, milliseconds since the epoch. Defaults to now. */
  readonly at?: number;
}

const fileRecord = z.object({
  path: z.string().refine(isPlainRelativePath, "is not a plain relative path"),
  size: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256"),
});

const commitSchema = z.object({
  format: z.literal(CHECKPOINT_FORMAT),
  version: z.literal(CHECKPOINT_VERSION),
  sequence: z.number(),
  generation: z.number(),
  global_step: z.number(),
  spec_hash: z.string(),
  fitness: z.number().nullable(),
  /** Absent in older records. */
  at: z.number().optional(),
  files: z.array(fileRecord),
});

/** The content of `COMMIT.json`. */
export type CommitRecord = z.infer<typeof commitSchema>;

/** One file of a checkpoint: path inside its directory, bytes, hash. */
export type FileRecord = z.infer<typeof fileRecord>;

export async function describeFiles(files: ReadonlyMap<string, Uint8Array>): Promise<FileRecord[]> {
  const records: FileRecord[] = [];
  for (const [path, bytes] of files) {
    records.push({ path, size: bytes.byteLength, sha256: await sha256Hex(bytes) });
  }
  return records;
}

/** `COMMIT.json` as bytes. Its last field is a hash of the others, which detects a torn file. */
export async function encodeCommit(record: CommitRecord, dir: string): Promise<Uint8Array> {
  const checked = commitSchema.safeParse(record);
  if (!checked.success) {
    throw new StorageError("io", dir, `cannot be committed: ${z.prettifyError(checked.error)}`);
  }
  const digest = await digestOf(record);
  return new TextEncoder().encode(`${JSON.stringify({ ...record, digest }, null, 2)}\n`);
}

/** Reads `COMMIT.json`; throws `StorageError` `corrupt` for a damaged one, `version` for another format version. */
export async function decodeCommit(bytes: Uint8Array, path: string): Promise<CommitRecord> {
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw damaged(path, `is not valid JSON (${reasonOf(error)})`);
  }
  const head = z.looseObject({ format: z.literal(CHECKPOINT_FORMAT), version: z.int() }).safeParse(raw);
  if (!head.success) throw damaged(path, "is not a checkpoint's commit file");
  const { digest, ...body } = head.data;
  // Other versions may compute the digest differently, so the version is checked first.
  const migrated = migrate(FORMAT, head.data.version, body, path);
  if (digest !== (await digestOf(body))) throw damaged(path, "does not match its own digest");
  const record = commitSchema.safeParse(migrated);
  if (!record.success) throw damaged(path, z.prettifyError(record.error));
  return record.data;
}

function damaged(path: string, found: string): StorageError {
  return new StorageError("corrupt", path, `${found}; the checkpoint is damaged; use an earlier one`);
}

function digestOf(record: object): Promise<string> {
  return sha256Hex(new TextEncoder().encode(JSON.stringify(record)));
}
