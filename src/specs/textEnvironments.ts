/** Kinds of environments that language models learn in. By name, so that pages may ask without the specs. */
const TEXT: readonly unknown[] = ["rollout", "dataset"];

/** The kind of environment of a manifest that is given as an object, of unknown shape; undefined where it names none. */
function envTypeOf(manifest: unknown): unknown {
  if (typeof manifest !== "object" || manifest === null || !("environment" in manifest)) return undefined;
  const { environment } = manifest;
  return typeof environment === "object" && environment !== null && "env_type" in environment
    ? environment.env_type
    : undefined;
}

/** Whether such a manifest trains a language model. */
export const trainsOnText = (manifest: unknown): boolean => TEXT.includes(envTypeOf(manifest));

/** Whether agents of such a manifest play episodes, which can be watched: neither texts nor the rows of a bandit's table. */
export const playsEpisodes = (manifest: unknown): boolean =>
  !trainsOnText(manifest) && envTypeOf(manifest) !== "bandit";
