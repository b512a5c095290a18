/** The environment that a manifest's run trains in: a registered one, or a bandit's table. */

import type { TrainingManifest } from "../../manifests/index.ts";
import type { BanditTable } from "../../rl/environments.ts";
import { type AgentSpaces, hostLayout } from "../../rl/spaces.ts";
import type { FileStore } from "../../storage/index.ts";
import type { AgentFacts } from "../files/agentFile.ts";
import { builtInTable, environmentOfTable, readTable } from "../options/banditTable.ts";
import { dataSpacesOf, isDataAlone, loadDataSpaces } from "./dataSpaces.ts";
import { envConfigOf, environmentOf, longestEpisode, memoryLayout } from "./environmentOf.ts";
import type { LivePlace } from "./estimateRun.ts";

export { usesDemonstrations } from "./demonstrationRuns.ts";
export { isDataAlone, loadDataSpaces };

interface TrainingPlace extends Pick<LivePlace, "max_episode_steps"> {
  /** Layout of replay buffer rows. */
  readonly layout: AgentSpaces;
}

/** Tables read in this thread, by their files, because planning is synchronous but reading is not. */
const readTables = new Map<string, BanditTable>();

const keyOf = ({ features, targets }: { features: string | null; targets: string | null }): string =>
  JSON.stringify([features, targets]);

/**
 * Reads the table of a bandit's manifest again, or the spaces of a data set without an environment, so that they are
 * available when the run is planned.
 * @throws The errors of `readTable` and `loadDataSpaces`.
 */
export async function loadPlace(manifest: TrainingManifest, store: FileStore): Promise<void> {
  const { environment } = manifest;
  if (environment.env_type !== "bandit") return loadDataSpaces(manifest, store);
  readTables.set(keyOf(environment), await readTable(environment, store));
}

/** The table of a bandit's manifest; null for other manifests, and if the files were not read. */
export const tableOf = ({ environment }: TrainingManifest): BanditTable | null =>
  environment.env_type === "bandit"
    ? (builtInTable(environment) ?? readTables.get(keyOf(environment)) ?? null)
    : null;

/** The table in the form that checks and estimates use for unregistered environments. */
export function tablePlace(manifest: TrainingManifest): LivePlace | null {
  const table = tableOf(manifest);
  if (!table) return null;
  const { observation_space, action_space } = environmentOfTable(table);
  return { observation_space, action_space, max_episode_steps: null };
}

/** @throws SpecError like `environmentOf`, and for a table that was not read. */
export function trainingPlace(manifest: TrainingManifest): TrainingPlace {
  const live = tablePlace(manifest);
  if (live) return { layout: hostLayout(live), max_episode_steps: null };
  return {
    layout: memoryLayout(environmentOf(manifest)),
    max_episode_steps: longestEpisode(manifest),
  };
}

/**
 * Information for agent files about the environment of a run. For a bandit's table or data that were not
 * read, only its name.
 */
export function agentFactsOf(manifest: TrainingManifest) {
  const { name, num_envs, env_type } = manifest.environment;
  const ofFile = env_type === "bandit" ? tablePlace : isDataAlone(manifest) ? dataSpacesOf : null;
  const live = (ofFile ?? environmentOf)(manifest);
  const { observation_space = null, action_space = null } = live ?? {};
  const env_config = envConfigOf(manifest);
  return { observation_space, action_space, environment: name, env_config, num_envs } satisfies AgentFacts;
}
