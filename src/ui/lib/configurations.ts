/** Names of runs and their configurations in a comparison. Runs of one configuration differ in their seeds alone. */

import { shortNames } from "../../manifests/algorithms.ts";
import { manifestNumber } from "./manifestValues.ts";

/** A flat manifest (`flatConfig`). */
type Config = ReadonlyMap<string, string | number>;

/** Fields that do not tell configurations apart. */
export const SEEDS: ReadonlySet<string> = new Set(["training.seed", "mutation.rand_seed"]);

/** The seed that a manifest names; null for none. */
export const manifestSeed = (manifest: unknown): number | null =>
  manifestNumber(manifest, "training.seed") ?? manifestNumber(manifest, "mutation.rand_seed");

/** Maximum number of fields in a configuration's name. */
const MOST_FIELDS = 4;

const identityOf = (config: Config): string =>
  JSON.stringify([...config].filter(([name]) => !SEEDS.has(name)).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The fields in which configurations differ. */
const differing = (configs: readonly Config[]): readonly string[] =>
  [...new Set(configs.flatMap((config) => [...config.keys()]))].filter(
    (name) => !SEEDS.has(name) && new Set(configs.map((config) => config.get(name))).size > 1,
  );

/** Makes texts different by numbers in brackets. Those of one `identity` stay equal. */
function apart(texts: readonly string[], identities: readonly string[]): readonly string[] {
  const owners = new Map<string, string>();
  const given = new Map<string, string>();
  return texts.map((text, at) => {
    const identity = `${text}\n${identities[at]}`;
    const known = given.get(identity);
    if (known !== undefined) return known;
    let name = text;
    for (let number = 2; owners.has(name); number += 1) name = `${text} (${number})`;
    owners.set(name, identity);
    given.set(identity, name);
    return name;
  });
}

/** Longest value in a name, in characters. */
const LONGEST = 24;

const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** Algorithm and environment. */
const titleOf = (config: Config): string =>
  [config.get("algorithm.name"), config.get("environment.name")]
    .filter((part) => part !== undefined)
    .join(" ");

/** In words, the fields in which each configuration differs from others of its algorithm and environment. */
function fieldsOf(configs: readonly Config[]): readonly (readonly string[])[] {
  const titles = configs.map(titleOf);
  const fields = new Map(
    [...new Set(titles)].map((title) => [title, differing(configs.filter((_, at) => titles[at] === title))]),
  );
  return configs.map((config, at) => {
    const own = fields.get(titles[at] ?? "") ?? [];
    const told = [...shortNames(own)]
      .slice(0, MOST_FIELDS)
      .map(([name, short]) => `${short} ${clipped(String(config.get(name) ?? "default"))}`);
    return own.length > MOST_FIELDS ? [...told, "…"] : told;
  });
}

/**
 * A name for the configuration of each manifest; equal for those that differ in seeds alone, and only for those. It has
 * algorithm and environment, and the fields in which configurations of both differ.
 */
export function configurationNames(configs: readonly Config[]): readonly string[] {
  const fields = fieldsOf(configs);
  return apart(
    configs.map((config, at) => [titleOf(config), ...(fields[at] ?? [])].join(", ")),
    configs.map(identityOf),
  );
}

/** A run among those that it is compared with. */
export interface NamedRun {
  /** The name that it has alone. */
  readonly name: string;
  readonly config: Config;
  /** Null if unknown. */
  readonly seed: number | null;
}

/**
 * A name for each of some runs, no two of them equal: the run's own, algorithm and environment if they differ, the fields
 * in which configurations differ, and the seed if seeds differ.
 */
export function runNames(runs: readonly NamedRun[]): readonly string[] {
  const configs = runs.map(({ config }) => config);
  const fields = fieldsOf(configs);
  // A run that could not be opened has neither.
  const hasTitles = new Set(configs.map(titleOf).filter(Boolean)).size > 1;
  const hasSeeds = new Set(runs.flatMap(({ seed }) => seed ?? [])).size > 1;
  const names = runs.map(({ name, config, seed }, at) => {
    const title = titleOf(config);
    return [
      name || title,
      ...(hasTitles && name !== "" && !name.includes(title) ? [title] : []),
      ...(fields[at] ?? []),
      ...(hasSeeds && seed !== null ? [`seed ${seed}`] : []),
    ].join(", ");
  });
  return apart(
    names,
    names.map((_, at) => String(at)),
  );
}
