/** Whether a manifest's data set is one of preferences, given as an object of unknown shape: its runs generate nothing. */
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
