/** Reads a manifest that is given by its path or URL. */

import { defaultStore, reasonOf } from "../../storage/files.ts";
import { type FileStore, parentPath, StorageError } from "../../storage/index.ts";

/** A manifest's text, with the name of its file. */
interface ManifestText {
  readonly name: string;
  readonly text: string;
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const isUrl = (text: string): boolean => /^(?:file|https?):\/\//i.test(text);

const looksLikePath = (text: string): boolean => !text.includes("\n") && /\.(ya?ml|json)$/i.test(text);

/** The system path of a "file:" URL; on Windows without the slash before the drive. */
function filePath({ host, pathname, href }: URL): string {
  if (host !== "")
    throw new StorageError("io", href, "names a file of another machine; give one of this machine");
  return decodeURIComponent(pathname).replace(/^\/([a-z]:)/i, "$1");
}

const names = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join(", ");

/** The error for a directory given in place of a manifest; `null` if the path is not a directory. */
export async function directoryError(store: FileStore, path: string): Promise<StorageError | null> {
  // For a file or an unknown name, listing is empty or fails.
  const inside = await store.list(path).catch(() => []);
  if (inside.length === 0) {
    const siblings = await store.list(parentPath(path)).catch(() => []);
    const own = path.replace(/\/+$/, "").split("/").at(-1);
    if (!siblings.some(({ name, kind }) => name === own && kind === "directory")) return null;
  }
  const manifests = inside.filter(({ name, kind }) => kind === "file" && looksLikePath(name));
  const advice =
    manifests.length > 0
      ? `give a manifest in it, such as ${names(manifests.slice(0, 3))}`
      : "give a manifest's file";
  return new StorageError("io", path, `is a directory, and a manifest is a YAML or JSON file; ${advice}`);
}

/** @throws StorageError when the path is a directory or cannot be read. */
async function readFile(path: string, given: FileStore | undefined): Promise<ManifestText> {
  const store = given ?? (await defaultStore());
  try {
    return { name: path, text: decode(await store.read(path)) };
  } catch (error) {
    throw (await directoryError(store, path)) ?? error;
  }
}

async function download(url: URL): Promise<ManifestText> {
  const refuse = (reason: string, cause?: unknown): StorageError =>
    new StorageError("io", url.href, `the manifest cannot be fetched: ${reason}; check the address`, {
      cause,
    });
  const response = await fetch(url).catch((error: unknown) => {
    throw refuse(reasonOf(error), error);
  });
  if (response.status === 404)
    throw new StorageError("not_found", url.href, "no such file; check the address");
  if (!response.ok) throw refuse(`the server answered ${response.status} ${response.statusText}`.trim());
  return { name: url.pathname, text: await response.text() };
}

/** @throws StorageError when the manifest cannot be read. */
const readUrl = (url: URL, store: FileStore | undefined): Promise<ManifestText> =>
  url.protocol === "file:" ? readFile(filePath(url), store) : download(url);

/**
 * The text of the manifest at a URL, at a path to a YAML or JSON file, or at an address that begins with
 * "file:", "http:" or "https:".
 * @returns null for other text, which is a manifest itself.
 * @throws StorageError when the file cannot be read or is a directory.
 */
export async function manifestAt(
  place: string | URL,
  store: FileStore | undefined,
): Promise<ManifestText | null> {
  if (typeof place !== "string") return readUrl(place, store);
  const text = place.trim();
  if (isUrl(text)) return readUrl(new URL(text), store);
  if (looksLikePath(text)) return readFile(text, store);
  // A single word is not a manifest, so it may be a path.
  if (text === "" || /[\n:{[]/.test(text)) return null;
  const directory = await directoryError(store ?? (await defaultStore()), text);
  if (directory) throw directory;
  return null;
}
