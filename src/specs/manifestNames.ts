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
