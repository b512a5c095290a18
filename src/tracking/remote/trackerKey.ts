import { environmentVariable, isKey } from "../../http/access.ts";
import { type FileStore, joinPath } from "../../storage/index.ts";
import { TrackerRefusedError } from "../Tracker.ts";

/** The key, if a header can carry it. @throws TrackerRefusedError without revealing the key. */
export function requireKey(key: string): string {
  if (isKey(key)) return key;
  throw new TrackerRefusedError(
    "tracker_api_key: contains spaces, line breaks or other characters that keys do not have; give only the key",
  );
}

/** The password of a host in the text of a .netrc file; null if there is none. */
export function netrcPassword(text: string, host: string): string | null {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const at = words.findIndex((word, i) => word === "machine" && words[i + 1] === host);
  if (at < 0) return null;
  const rest = words.slice(at + 2);
  const end = rest.findIndex((word) => word === "machine" || word === "default");
  const own = end < 0 ? rest : rest.slice(0, end);
  const password = own.indexOf("password");
  return password < 0 ? null : (own[password + 1] ?? null);
}

/** The given key, else the environment variable's, else the one in ~/.netrc for the host; null for none. */
export async function trackerKey(
  given: string | null,
  variable: string,
  address: string,
  store: FileStore,
): Promise<string | null> {
  const found = given ?? environmentVariable(variable) ?? (await netrcKey(address, store));
  return found === null ? null : requireKey(found);
}

async function netrcKey(address: string, store: FileStore): Promise<string | null> {
  const home = environmentVariable("HOME");
  if (store.kind !== "disk" || home === null) return null;
  try {
    const text = new TextDecoder().decode(await store.read(joinPath(home, ".netrc")));
    return netrcPassword(text, new URL(address).hostname);
  } catch {
    // The file does not exist or is not readable.
    return null;
  }
}
