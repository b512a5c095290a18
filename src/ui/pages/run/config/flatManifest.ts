import { isMapping } from "../../../../specs/checks.ts";
import { plainText } from "../../../lib/format.ts";

/** Values of a manifest as text, by dotted path; a list is one value. */
export type FlatManifest = ReadonlyMap<string, string>;

/** @param manifest as an object; null and undefined values are left out */
export function flatManifest(manifest: unknown): FlatManifest {
  const values = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (value === null || value === undefined) return;
    if (!isMapping(value)) values.set(path, plainText(value));
    else for (const [key, entry] of Object.entries(value)) walk(entry, path === "" ? key : `${path}.${key}`);
  };
  walk(manifest, "");
  return values;
}
