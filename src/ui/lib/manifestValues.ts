import { isMapping } from "../../specs/messages.ts";

/** The value at a dotted path of a manifest object of unknown shape, such as "training.max_steps"; undefined if it has none. */
export function manifestValue(manifest: unknown, path: string): unknown {
  let value = manifest;
  for (const key of path.split(".")) value = isMapping(value) ? value[key] : undefined;
  return value;
}

/** As {@link manifestValue}, for a finite number; null if there is none. */
export function manifestNumber(manifest: unknown, path: string): number | null {
  const value = manifestValue(manifest, path);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The leaf values of a manifest under dotted names; lists as JSON. Nulls and `apiVersion` are left out. */
export function flatConfig(manifest: unknown): ReadonlyMap<string, string | number> {
  const flat = new Map<string, string | number>();
  const add = (value: unknown, name: string): void => {
    if (isMapping(value)) {
      for (const [key, entry] of Object.entries(value)) add(entry, name === "" ? key : `${name}.${key}`);
    } else if (typeof value === "number" || typeof value === "string") flat.set(name, value);
    else if (typeof value === "boolean") flat.set(name, value ? "on" : "off");
    else if (Array.isArray(value)) flat.set(name, JSON.stringify(value));
  };
  add(manifest, "");
  flat.delete("apiVersion");
  return flat;
}
