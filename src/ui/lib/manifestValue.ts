import { isMapping } from "../../specs/checks.ts";

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
