import { flatConfig } from "../../lib/manifestValues.ts";

/** One manifest value for each run; null if a manifest does not contain it. */
export interface ConfigRow {
  readonly name: string;
  readonly values: readonly (string | number | null)[];
  readonly differs: boolean;
}

/** All values of the manifests side by side, in order of first appearance. */
export function configRows(manifests: readonly unknown[]): ConfigRow[] {
  const flat = manifests.map(flatConfig);
  const names = [...new Set(flat.flatMap((config) => [...config.keys()]))];
  return names.map((name) => {
    const values = flat.map((config) => config.get(name) ?? null);
    return { name, values, differs: new Set(values).size > 1 };
  });
}
