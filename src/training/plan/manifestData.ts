/** The data set of a manifest's offline run, and demonstrations. */

import type { ReplayBuffer } from "../../agents/classes.ts";
import { DatasetError, requireSameGame } from "../../datasets/reading.ts";
import { algorithmDefinition, type TrainingManifest } from "../../manifests/index.ts";
import { listEnvironments } from "../../rl/environments.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import type { FileStore } from "../../storage/index.ts";
import type { TrainingObserver } from "../../tracking/observer.ts";
import { datasetPlaceOf, openGiven } from "../options/datasetOption.ts";
import { type RunData, readRunData } from "../rl/datasetReplay.ts";
import { fittedQOf, replaySize } from "./buildRun.ts";
import { dataSpacesOf } from "./dataSpaces.ts";
import { usesDemonstrations } from "./demonstrationRuns.ts";
import { environmentOf, userEnvironmentOf } from "./environmentOf.ts";

export interface DataContext {
  /** Store of the run (default: the disk in Node, OPFS in a browser). */
  readonly store?: FileStore | undefined;
  /** Receives events of downloads. */
  readonly observer?: TrainingObserver | undefined;
  /** The caller's replay buffer, which limits the rows instead of the manifest's section. */
  readonly memory?: ReplayBuffer | null;
}

async function openFor(
  manifest: TrainingManifest,
  place: Parameters<typeof openGiven>[0],
  context: Omit<DataContext, "memory">,
): ReturnType<typeof openGiven> {
  const opened = await openGiven(place, context);
  // Of a caller's own environment, and of one in code, no game is known.
  const isKnown = listEnvironments().includes(manifest.environment.name) && !userEnvironmentOf(manifest);
  if (isKnown) requireSameGame(opened.dataset, environmentOf(manifest));
  return opened;
}

/**
 * Reads the data set; null for runs that are not offline.
 * @throws DatasetError for a data set that is missing, invalid, or from another environment.
 */
export async function manifestData(
  manifest: TrainingManifest,
  layout: AgentSpaces,
  { memory = null, ...context }: DataContext,
): Promise<RunData | null> {
  if (!algorithmDefinition(manifest.algorithm.name).offline) return null;
  const { pop_size } = manifest.training;
  const most = memory
    ? Math.floor(memory.max_size / pop_size) * pop_size
    : manifest.replay_buffer && replaySize(manifest);
  const open = () => openFor(manifest, datasetPlaceOf(manifest), context);
  const { fitness, held_out: share } = manifest.training;
  const hold = fitness === "fqe" ? { share, gamma: fittedQOf(manifest).gamma } : null;
  const data = await readRunData(open, layout, most, "replay_buffer.max_size", hold);
  return { ...data, warnings: [...(dataSpacesOf(manifest)?.notices ?? []), ...data.warnings] };
}

/**
 * Reads the demonstrations; null for runs without.
 * @throws DatasetError naming the field, for a data set that is missing, invalid, or from another environment.
 */
export async function manifestDemonstrations(
  manifest: TrainingManifest,
  layout: AgentSpaces,
  context: Omit<DataContext, "memory">,
): Promise<RunData | null> {
  const { demonstrations } = manifest.training;
  if (demonstrations === null || !usesDemonstrations(manifest)) return null;
  const open = () => openFor(manifest, { dataset_path: demonstrations }, context);
  try {
    return await readRunData(open, layout, null, "");
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    throw new DatasetError("training.demonstrations", error.message, { cause: error });
  }
}
