/** Where a manifest's run trains: a registered environment, or a bandit's table. */
import type { BanditTable } from "../../rl/environments/bandit/BanditTable.ts";
import { hostLayout } from "../../rl/spaces/AgentSpaces.ts";
import type { AgentSpaces } from "../../rl/spaces/index.ts";
import type { TrainingManifest } from "../../specs/index.ts";
import type { FileStore } from "../../storage/index.ts";
import type { AgentFacts } from "../files/agentFile.ts";
import { builtInTable, environmentOfTable, readTable } from "../options/banditTable.ts";
import { envConfigOf, environmentOf, longestEpisode } from "./environmentOf.ts";
import type { LivePlace } from "./estimateRun.ts";
import { memoryLayout } from "./memoryLayout.ts";

export interface TrainingPlace extends Pick<LivePlace, "max_episode_steps"> {
  /** What rows of a memory are like. */
  readonly layout: AgentSpaces;
}

/** Tables that were read in this thread, by their files: plans are made at once, and reading takes time. */
const readTables = new Map<string, BanditTable>();

const keyOf = ({ features, targets }: { features: string | null; targets: string | null }): string =>
  JSON.stringify([features, targets]);

/** Reads the table of a bandit's manifest anew, so that it is there when the run is planned. @throws As `readTable`. */
export async function loadTable({ environment }: TrainingManifest, store: FileStore): Promise<void> {
  if (environment.env_type !== "bandit") return;
  readTables.set(keyOf(environment), await readTable(environment, store));
}

/** The table of a bandit's manifest; null for other manifests, and for files that were not read. */
export const tableOf = ({ environment }: TrainingManifest): BanditTable | null =>
  environment.env_type === "bandit"
    ? (builtInTable(environment) ?? readTables.get(keyOf(environment)) ?? null)
    : null;

/** The same as what checks and estimates take of environments that are not registered. */
export function tablePlace(manifest: TrainingManifest): LivePlace | null {
  const table = tableOf(manifest);
  if (!table) return null;
  const { observation_space, action_space } = environmentOfTable(table);
  return { observation_space, action_space, max_episode_steps: null };
}

/** @throws SpecError as `environmentOf`, and for a table that was not read. */
export function trainingPlace(manifest: TrainingManifest): TrainingPlace {
  const live = tablePlace(manifest);
  if (live) return { layout: hostLayout(live), max_episode_steps: null };
  return {
    layout: memoryLayout(environmentOf(manifest)),
    max_episode_steps: longestEpisode(manifest),
  };
}

/** What an agent file says of where a run trained its agents; of a bandit's table that is gone, its name alone. */
export function agentFactsOf(manifest: TrainingManifest) {
  const { name, num_envs, env_type } = manifest.environment;
  const live = env_type === "bandit" ? tablePlace(manifest) : environmentOf(manifest);
  const { observation_space = null, action_space = null } = live ?? {};
  const env_config = envConfigOf(manifest);
  return { observation_space, action_space, environment: name, env_config, num_envs } satisfies AgentFacts;
}
