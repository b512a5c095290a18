/** Read access to a folder with the files of a model, a tokenizer or an adapter. */

import type { z } from "zod";
import { checkSpec, SpecError } from "../../specs/checks.ts";
import { reasonOf } from "../../storage/files.ts";
import { type FileStore, isStorageError, joinPath, StorageError } from "../../storage/index.ts";

export interface Folder {
  /** Name of the folder in errors; may be empty. */
  readonly path: string;
  /** A file's bytes by name; `null` if there is no such file. */
  readFile(name: string): Promise<Uint8Array | null>;
}

/** A directory of a store. */
export const storeFolder = (store: FileStore, path: string): Folder => ({
  path,
  async readFile(name) {
    try {
      return await store.read(joinPath(path, name));
    } catch (error) {
      if (isStorageError(error, "not_found")) return null;
      throw error;
    }
  },
});

/** Files in memory by name. */
export const memoryFolder = (files: ReadonlyMap<string, Uint8Array>, path = ""): Folder => ({
  path,
  readFile: async (name) => files.get(name) ?? null,
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
