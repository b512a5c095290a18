/** Settings of a sweep's runs: values of fields, by the fields' dotted paths. */

/** Values of fields of a manifest, by dotted path. */
export type Setting = Readonly<Record<string, unknown>>;

/** Most runs of a sweep. */
export const MOST_RUNS = 1000;

/** Why a sweep of so many runs is refused; null if it is not. */
export const tooManyRuns = (runs: number): string | null =>
  runs <= MOST_RUNS
    ? null
    : `found ${runs} runs; a sweep has at most ${MOST_RUNS}: list fewer values, or search with training.hpo: search`;

/** Number of combinations of values. */
export const combinationsOf = (lists: Readonly<Record<string, readonly unknown[]>>): number =>
  Object.values(lists).reduce((product, { length }) => product * length, 1);

/** All combinations of the values of fields. The last field changes fastest. */
export function grid(lists: Readonly<Record<string, readonly unknown[]>>): readonly Setting[] {
  return Object.entries(lists).reduce<readonly Setting[]>(
    (settings, [path, values]) =>
      settings.flatMap((setting) => values.map((value) => ({ ...setting, [path]: value }))),
    [{}],
  );
}

/** Short names of fields: their last keys, except where these are equal or say little. */
export function shortNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const shorts = paths.map((path) => {
    const keys = path.split(".");
    // "environment" says more than "name".
    return (keys.at(-1) === "name" ? keys.at(-2) : keys.at(-1)) ?? path;
  });
  return new Map(
    paths.map((path, at) => {
      const short = shorts[at] ?? path;
      return [path, shorts.indexOf(short) === shorts.lastIndexOf(short) ? short : path];
    }),
  );
}

/** A value as text for names and tables. */
export const valueText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));

/** A setting in words: "lr=0.001, environment=CartPole-v1". */
export function settingText(setting: Setting): string {
  const names = shortNames(Object.keys(setting));
  return Object.entries(setting)
    .map(([path, value]) => `${names.get(path)}=${valueText(value)}`)
    .join(", ");
}
