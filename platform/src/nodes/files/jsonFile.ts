/** JSON that machines exchange, including numbers that JSON cannot express. */
import type { z } from "zod";
import { StorageError } from "../../../../src/storage/index.ts";
import { numberToJson } from "../../../../src/training/files.ts";

export function encodeJson(value: unknown): Uint8Array {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === "number" ? numberToJson(part) : part,
  );
  return new TextEncoder().encode(text);
}

/**
 * @param path Name for errors.
 * @throws StorageError "corrupt" if it is not JSON, or does not match the schema.
 */
export function decodeJson<S extends z.ZodType>(schema: S, bytes: Uint8Array, path: string): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new StorageError("corrupt", path, "is not valid JSON", { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StorageError(
    "corrupt",
    path,
    `does not match its schema: ${issue?.path.join(".")} ${issue?.message}`,
  );
}
