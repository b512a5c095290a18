/** Types of environments for language models. Plain names, so that pages need not load the specs. */
const TEXT: readonly unknown[] = ["rollout", "dataset"];

/** The environment type of a manifest object of unknown shape; undefined if it names none. */
function envTypeOf(manifest: unknown): unknown {
  if (typeof manifest !== "object" || manifest === null || !("environment" in manifest)) return undefined;
  const { environment } = manifest;
  return typeof environment === "object" && environment !== null && "env_type" in environment
    ? environment.env_type
    : undefined;
}

/** Whether a manifest object trains a language model. */
export const trainsOnText = (manifest: unknown): boolean => TEXT.includes(envTypeOf(manifest));

/** Whether a manifest object's agents play episodes to watch, which text and bandits' tables do not have. */
export const playsEpisodes = (manifest: unknown): boolean =>
  !trainsOnText(manifest) && envTypeOf(manifest) !== "bandit";
