/** Names that manifests give. Plain, so that pages need not load specs, models or data to offer them. */

/** Package names that may precede the names of particle environments. */
const PACKAGE = /^(?:mpe2|pettingzoo\.mpe)\.(?=simple_)/;

/** The id of an environment, without a preceding package name as in `mpe2.simple_spread_v3`. */
export const environmentId = (name: string): string => name.replace(PACKAGE, "");

/** Whether a name is that of a user's module in the workbench. */
export const isUserEnvironment = (name: string): boolean => name.startsWith("user/");

/** The name under which a user's environment is stored, from its id in a manifest; null for any other id. */
export const userEnvironmentName = (id: unknown): string | null =>
  typeof id === "string" && isUserEnvironment(id) ? id.slice(id.indexOf("/") + 1) : null;

/** Types of environments for language models. Plain names, so that pages need not load the specs. */
const TEXT: readonly unknown[] = ["rollout", "dataset"];

/** In place of an environment's name: agents learn from a data set, and there is nothing to evaluate them in. */
export const NO_ENVIRONMENT = "none";

/** Type and name of the environment of a manifest object of unknown shape; undefined where it names none. */
function placeOf(manifest: unknown): { readonly env_type?: unknown; readonly name?: unknown } {
  if (typeof manifest !== "object" || manifest === null || !("environment" in manifest)) return {};
  const { environment } = manifest;
  return typeof environment === "object" && environment !== null ? environment : {};
}

/** Whether a manifest object trains a language model. */
export const trainsOnText = (manifest: unknown): boolean => TEXT.includes(placeOf(manifest).env_type);

/** Whether a manifest object's agents play episodes to watch, which text, bandits' tables and data alone do not have. */
export function playsEpisodes(manifest: unknown): boolean {
  const { env_type, name = NO_ENVIRONMENT } = placeOf(manifest);
  const isAlone = env_type === "offline" && name === NO_ENVIRONMENT;
  return !trainsOnText(manifest) && env_type !== "bandit" && !isAlone;
}

/** A table of three kinds of flowers with four measurements, for `features` and `targets`. */
export const FLOWERS = "rlkit/flowers";

/** CartPole steps of a rule that makes mistakes, for `dataset_path`. */
export const CARTPOLE_RULE = "rlkit/cartpole-rule";

/** The same in Pendulum, whose actions are numbers. */
export const PENDULUM_RULE = "rlkit/pendulum-rule";

/** Ids of built-in language models. Plain names, so that pages need not load models or data to offer them. */
export const TEXT_MODELS = ["rlkit/tiny-digits", "rlkit/tiny-letters"] as const;

/** Text environments, by `entrypoint`. */
export const TEXT_ENVIRONMENTS = [
  "rlkit/ConstantTarget",
  "rlkit/ConditionalTarget",
  "rlkit/MultiInputConditional",
  "rlkit/GridNavigation",
] as const;

/** Rubrics, by `rubric_file_path`. */
export const TEXT_RUBRICS = ["exact_match", "contains", "number"] as const;

export const TEXT_DATASETS = ["rlkit/backwards", "rlkit/polite"] as const;
