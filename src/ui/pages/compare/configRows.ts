import { flatConfig } from "../../lib/flatConfig.ts";

/** One value of the manifests, by run; null where a manifest does not have it. */
export interface ConfigRow {
  readonly name: string;
  readonly values: readonly (string | number | null)[];
  readonly differs: boolean;
}

/** All values of manifests side by side, in the order in which they come first. */
export function configRows(manifests: readonly unknown[]): ConfigRow[] {
  const flat = manifests.map(flatConfig);
  const names = [...new Set(flat.flatMap((config) => [...config.keys()]))];
  return names.map((name) => {
    const values = flat.map((config) => config.get(name) ?? null);
    return { name, values, differs: new Set(values).size > 1 };
  });
}
