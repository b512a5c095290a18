/** `training.max_steps` of a manifest object; null if it does not state one. */
export function maxSteps(manifest: unknown): number | null {
  if (typeof manifest !== "object" || manifest === null || !("training" in manifest)) return null;
  const { training } = manifest;
  if (typeof training !== "object" || training === null || !("max_steps" in training)) return null;
  const { max_steps } = training;
  return typeof max_steps === "number" && max_steps > 0 ? max_steps : null;
}
