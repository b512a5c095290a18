/** Runs of one configuration differ in their seeds alone. */

/** A flat manifest (`flatConfig`). */
type Config = ReadonlyMap<string, string | number>;

/** Fields that do not tell configurations apart. */
const SEEDS: ReadonlySet<string> = new Set(["training.seed", "mutation.rand_seed"]);

/** Maximum number of fields in a configuration's name. */
const MOST_FIELDS = 4;

const identityOf = (config: Config): string =>
  JSON.stringify([...config].filter(([name]) => !SEEDS.has(name)).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The fields in which configurations differ. */
const differing = (configs: readonly Config[]): readonly string[] =>
  [...new Set(configs.flatMap((config) => [...config.keys()]))].filter(
    (name) => !SEEDS.has(name) && new Set(configs.map((config) => config.get(name))).size > 1,
  );

const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/**
 * A name for the configuration of each manifest; equal for those that differ in seeds alone, and only for those. It has
 * algorithm and environment, and the fields in which configurations of both differ.
 */
export function configurationNames(configs: readonly Config[]): readonly string[] {
  const identities = configs.map(identityOf);
  const titles = configs.map((config) =>
    [config.get("algorithm.name"), config.get("environment.name")]
      .filter((part) => part !== undefined)
      .join(" "),
  );
  const fields = new Map(
    [...new Set(titles)].map((title) => [title, differing(configs.filter((_, at) => titles[at] === title))]),
  );
  const names = configs.map((config, at) => {
    const title = titles[at] ?? "";
    const own = fields.get(title) ?? [];
    const told = own
      .slice(0, MOST_FIELDS)
      .map((name) => `${lastPart(name)} ${config.get(name) ?? "default"}`);
    return [title, ...told].join(", ") + (own.length > MOST_FIELDS ? "…" : "");
  });
  // Fields beyond the first few may be those that differ.
  const owners = new Map<string, string[]>();
  return names.map((name, at) => {
    const known = owners.get(name) ?? [];
    owners.set(name, known);
    const identity = identities[at] ?? "";
    if (!known.includes(identity)) known.push(identity);
    const number = known.indexOf(identity);
    return number === 0 ? name : `${name} (${number + 1})`;
  });
}
