import { reasonOf } from "../storage/files.ts";
import type { FileStore } from "../storage/index.ts";
import { directoryError } from "../training/files.ts";
import { CliError } from "./CliError.ts";
import { EXIT } from "./CliIo.ts";

/** The text of a manifest file. @throws CliError with exit code 2 when it cannot be read. */
export async function readManifestFile(store: FileStore, path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await store.read(path);
  } catch (error) {
    const reason = reasonOf((await directoryError(store, path)) ?? error);
    throw new CliError(`the manifest cannot be read: ${reason}`, EXIT.usage, { cause: error });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const message = `the manifest cannot be read: ${path}: is not UTF-8 text; give a YAML or JSON file`;
    throw new CliError(message, EXIT.usage, { cause: error });
  }
}
