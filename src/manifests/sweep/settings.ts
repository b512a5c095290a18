/** Settings of a sweep's runs: values of fields, by the fields' dotted paths. */

/** Values of fields of a manifest, by dotted path. */
export type Setting = Readonly<Record<string, unknown>>;

/** Most runs of a sweep. */
export const MOST_RUNS = 1000;

/** Why a sweep with this number of runs is refused; null if it is allowed. */
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

/** The last key of a path, or as many as tell it apart from all others. */
function ending(path: string, all: readonly string[]): string {
  const keys = path.split(".");
  const endings = keys.map((_, at) => keys.slice(keys.length - 1 - at).join("."));
  const isOwn = (end: string): boolean => all.filter((other) => `.${other}`.endsWith(`.${end}`)).length === 1;
  return endings.find(isOwn) ?? path;
}

/** Short names of fields, by their dotted paths. */
export function shortNames(paths: readonly string[]): ReadonlyMap<string, string> {
  // "environment" says more than "name".
  const told = paths.map((path) => path.replace(/\.name$/, ""));
  return new Map(paths.map((path, at) => [path, ending(told[at] ?? path, told)]));
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
