import { stringify } from "yaml";
import { manifestToObject } from "./manifestToObject.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";
import { yamlNumbers } from "./yamlNumbers.ts";

/**
 * A manifest as YAML text that readers of YAML 1.1 and 1.2 understand in the same way: words such as `no` are
 * quoted. See {@link manifestToObject}.
 *
 * @example
 * ```ts
 * const manifest = parseManifest({ algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" } });
 * console.log(manifestToYaml(manifest));
 * ```
 */
export function manifestToYaml(manifest: TrainingManifest): string {
  return stringify(manifestToObject(manifest), {
    compat: "yaml-1.1",
    customTags: (tags) => [...yamlNumbers, ...tags],
    flowCollectionPadding: false,
    aliasDuplicateObjects: false,
  });
}
