/** A positive number at a key of an object of unknown shape; null when there is none. */
function positive(object: unknown, key: string): number | null {
  if (typeof object !== "object" || object === null) return null;
  const value: unknown = new Map<string, unknown>(Object.entries(object)).get(key);
  return typeof value === "number" && value > 0 ? value : null;
}

/** Environment steps that all members of a manifest's population take together; null when it does not say. */
export function totalSteps(manifest: unknown): number | null {
  if (typeof manifest !== "object" || manifest === null || !("training" in manifest)) return null;
  const each = positive(manifest.training, "max_steps");
  return each === null ? null : each * (positive(manifest.training, "pop_size") ?? 1);
}
