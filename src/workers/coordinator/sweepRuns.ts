/** The runs of a page's sweep. */

import { settingText } from "../../manifests/algorithms.ts";
import { expandSweep, type RawManifest, type Sweep, type TrainingManifest } from "../../manifests/index.ts";
import { listEnvironments } from "../../rl/environments.ts";

/** The runs of one combination of values. */
export interface Combination {
  /** Algorithm, environment and the other values that are swept: "PPO CartPole-v1, lr=0.001". */
  readonly name: string;
  readonly runs: readonly { readonly seed: number | null; readonly manifest: TrainingManifest }[];
}

/** What the name of every combination says by itself, and what follows from it. */
const NAMED = new Set(["algorithm", "algorithm.name", "environment.name", "mutation.rl_hp_selection"]);

/** @throws SpecError naming every field that cannot be set, or the number of runs if they are too many. */
export function sweepCombinations(
  manifest: RawManifest,
  sweep: Pick<Sweep, "seeds" | "settings">,
): readonly Combination[] {
  const combinations = new Map<string, Combination & { runs: Combination["runs"][number][] }>();
  for (const run of expandSweep(sweep, manifest, { environments: listEnvironments() })) {
    const { setting, seed, manifest: own } = run;
    const key = JSON.stringify(setting);
    const others = Object.fromEntries(Object.entries(setting).filter(([path]) => !NAMED.has(path)));
    const title = `${own.algorithm.name} ${own.environment.name}`;
    const name = [title, settingText(others)].filter(Boolean).join(", ");
    const combination = combinations.get(key) ?? { name, runs: [] };
    combination.runs.push({ seed, manifest: own });
    combinations.set(key, combination);
  }
  return [...combinations.values()];
}
