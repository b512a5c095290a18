/** `training.target_score` of a manifest object; null if unset. */
export function targetScore(manifest: unknown): number | null {
  if (typeof manifest !== "object" || manifest === null || !("training" in manifest)) return null;
  const { training } = manifest;
  if (typeof training !== "object" || training === null || !("target_score" in training)) return null;
  return typeof training.target_score === "number" ? training.target_score : null;
}
