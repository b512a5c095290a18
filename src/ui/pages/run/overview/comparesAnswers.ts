/** Whether an unvalidated manifest trains on preferences; such runs generate no completions. */
export function comparesAnswers(manifest: unknown): boolean {
  if (typeof manifest !== "object" || manifest === null || !("environment" in manifest)) return false;
  const { environment } = manifest;
  return (
    typeof environment === "object" &&
    environment !== null &&
    "objective" in environment &&
    environment.objective === "preference"
  );
}
