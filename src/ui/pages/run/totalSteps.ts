import { sharesSteps } from "../../../specs/sharedSteps.ts";

/** A positive number at a key of an object of unknown shape; null when there is none. */
function positive(object: unknown, key: string): number | null {
  if (typeof object !== "object" || object === null) return null;
  const value: unknown = new Map<string, unknown>(Object.entries(object)).get(key);
  return typeof value === "number" && value > 0 ? value : null;
}

/** Name of a manifest's algorithm; null when it gives none. */
function algorithmOf(manifest: object): unknown {
  if (!("algorithm" in manifest)) return null;
  const { algorithm } = manifest;
  return typeof algorithm === "object" && algorithm !== null && "name" in algorithm ? algorithm.name : null;
}

/** Environment steps that all members of a manifest's population take together; null when it does not say. */
export function totalSteps(manifest: unknown): number | null {
  if (typeof manifest !== "object" || manifest === null || !("training" in manifest)) return null;
  const most = positive(manifest.training, "max_steps");
  if (most === null || sharesSteps(algorithmOf(manifest))) return most;
  return most * (positive(manifest.training, "pop_size") ?? 1);
}
