/**
 * Read access to a folder with the files of a model, a tokenizer or an adapter. With `checksums.json`, the SHA-256 of
 * every other file, damaged files do not load as other weights.
 */
import { z } from "zod";
import { checkSpec, SpecError } from "../../specs/checks.ts";
import { reasonOf, sha256Hasher, sha256HexNow } from "../../storage/files.ts";
import {
  type BinaryFile,
  type FileStore,
  isStorageError,
  joinPath,
  StorageError,
} from "../../storage/index.ts";

export interface Folder {
  /** Name of the folder in errors; may be empty. */
  readonly path: string;
  /** A file's bytes by name; `null` if there is no such file. */
  readFile(name: string): Promise<Uint8Array | null>;
  /** A file to be read in parts, by name; `null` if there is no such file. */
  openFile(name: string): Promise<BinaryFile | null>;
}

/** The result, or `null` if there is no such file. */
const ifThere = <T>(result: Promise<T>): Promise<T | null> =>
  result.catch((error: unknown) => {
    if (isStorageError(error, "not_found")) return null;
    throw error;
  });

/** A directory of a store. */
export const storeFolder = (store: FileStore, path: string): Folder => ({
  path,
  readFile: (name) => ifThere(store.read(joinPath(path, name))),
  openFile: (name) => ifThere(store.blob(joinPath(path, name))),
});

/** Files in memory by name. */
export const memoryFolder = (files: ReadonlyMap<string, Uint8Array>, path = ""): Folder => ({
  path,
  readFile: async (name) => files.get(name) ?? null,
  openFile: async (name) => {
    const bytes = files.get(name);
    return bytes === undefined ? null : new Blob([new Uint8Array(bytes)]);
  },
});

/** Path of a file in errors. */
export const placeOf = (folder: Folder, name: string): string => joinPath(folder.path, name);

/** @param advice What to do, appended after a semicolon. */
export const missingFile = (folder: Folder, name: string, advice: string): StorageError =>
  new StorageError("not_found", placeOf(folder, name), `no such file; ${advice}`);

/**
 * A file's text; `null` if there is no such file.
 * @throws StorageError `corrupt` for bytes that are not UTF-8.
 */
export async function readText(folder: Folder, name: string): Promise<string | null> {
  const bytes = await folder.readFile(name);
  if (bytes === null) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new StorageError("corrupt", placeOf(folder, name), "is not UTF-8 text; use another copy", {
      cause: error,
    });
  }
}

/**
 * A JSON file's content, parsed with the schema; `null` if there is no such file.
 * @throws StorageError `corrupt` for a file that is not JSON. SpecError naming the
 *   file and every invalid field.
 */
export async function readJson<S extends z.ZodType>(
  folder: Folder,
  name: string,
  schema: S,
): Promise<z.output<S> | null> {
  const text = await readText(folder, name);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StorageError(
      "corrupt",
      placeOf(folder, name),
      `is not valid JSON (${reasonOf(error)}); use another copy`,
      {
        cause: error,
      },
    );
  }
  return parseAs(schema, value, placeOf(folder, name));
}

/** @throws SpecError with `file` and every invalid field. */
export function parseAs<S extends z.ZodType>(schema: S, value: unknown, file: string): z.output<S> {
  const result = checkSpec(schema, value);
  if (!result.success) throw new SpecError(result.issues, file);
  return result.data;
}

/** Encodes a JSON file, indented by two spaces and with a final newline. */
export const jsonBytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);

export const CHECKSUMS = "checksums.json";

const content = z.strictObject({ sha256: z.record(z.string(), z.string()) });

/** The files by path with `checksums.json` first, so that an incomplete copy is noticed. */
export function withChecksums(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const sha256 = Object.fromEntries([...files].map(([path, bytes]) => [path, sha256HexNow(bytes)]));
  return new Map([[CHECKSUMS, jsonBytes({ sha256 })], ...files]);
}

/**
 * The folder `name` in a folder ("" for that itself), whose files are compared with `checksums.json` of the
 * outer folder as they are read. Without `checksums.json`, nothing is compared.
 * @returns A folder that throws StorageError `corrupt` for files that are changed, missing or not listed.
 */
export function verified(outer: Folder, name = "", inner: Folder = outer): Folder {
  let read: Promise<z.output<typeof content> | null> | null = null;
  /** @param hash Called if there is something to compare. */
  const compare = async (file: string, hash: () => Promise<string | undefined>): Promise<void> => {
    if (file === CHECKSUMS) return;
    read ??= readJson(outer, CHECKSUMS, content);
    const listed = await read;
    if (listed === null) return;
    const path = name === "" ? file : joinPath(name, file);
    const due = Object.hasOwn(listed.sha256, path) ? listed.sha256[path] : undefined;
    const is = await hash();
    if (is === due) return;
    throw new StorageError("corrupt", placeOf(inner, file), problem(is, due, placeOf(outer, CHECKSUMS)));
  };
  return {
    path: inner.path,
    async readFile(file) {
      const bytes = await inner.readFile(file);
      await compare(file, async () => (bytes === null ? undefined : sha256HexNow(bytes)));
      return bytes;
    },
    async openFile(file) {
      const opened = await inner.openFile(file);
      await compare(file, async () => (opened === null ? undefined : hashOf(opened)));
      return opened;
    },
  };
}

/** Bytes that are hashed at once. */
const HASHED = 4 * 2 ** 20;

/** SHA-256 of a file that is read in parts. */
async function hashOf(file: BinaryFile): Promise<string> {
  const hasher = sha256Hasher();
  for (let at = 0; at < file.size; at += HASHED)
    hasher.update(new Uint8Array(await file.slice(at, Math.min(file.size, at + HASHED)).arrayBuffer()));
  return hasher.digest();
}

function problem(is: string | undefined, due: string | undefined, place: string): string {
  const found =
    is === undefined ? "no such file, but" : due === undefined ? "is not listed in" : "differs from";
  const listed = is === undefined ? `${place} lists it` : place;
  return `${found} ${listed}; use another copy of the folder, or delete ${CHECKSUMS} if you changed the files yourself`;
}

/** A warning if a folder, which rlkit wrote, has no `checksums.json`; otherwise none. */
export async function unverifiedWarnings(folder: Folder): Promise<readonly string[]> {
  if ((await folder.readFile(CHECKSUMS)) !== null) return [];
  return [
    `${folder.path}: has no ${CHECKSUMS} (it was written by an earlier version), so damage cannot be detected; save it again to add one`,
  ];
}
