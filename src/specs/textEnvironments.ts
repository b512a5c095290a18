/** Kinds of environments that language models learn in. By name, so that pages may ask without the specs. */
const TEXT: readonly unknown[] = ["rollout", "dataset"];

/** Whether a manifest that is given as an object, of unknown shape, trains a language model. */
export function trainsOnText(manifest: unknown): boolean {
  if (typeof manifest !== "object" || manifest === null || !("environment" in manifest)) return false;
  const { environment } = manifest;
  return (
    typeof environment === "object" &&
    environment !== null &&
    "env_type" in environment &&
    TEXT.includes(environment.env_type)
  );
}
