/** `training.max_steps` of a manifest given as an object; null when it does not say. */
export function maxSteps(manifest: unknown): number | null {
  if (typeof manifest !== "object" || manifest === null || !("training" in manifest)) return null;
  const { training } = manifest;
  if (typeof training !== "object" || training === null || !("max_steps" in training)) return null;
  const { max_steps } = training;
  return typeof max_steps === "number" && max_steps > 0 ? max_steps : null;
}
