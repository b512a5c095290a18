import { flatConfig } from "../../lib/manifestValues.ts";

/** An environment and its options, such as "FrozenLake-v1 (is_slippery off)". */
export function environmentWords(environment: string, options: unknown): string {
  const words = [...flatConfig(options)].map(([name, value]) => `${name} ${value}`).join(", ");
  return words === "" ? environment : `${environment} (${words})`;
}
