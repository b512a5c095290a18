/** The data set that a manifest's run learns from. */
import type { ReplayBuffer } from "../../rl/buffers/index.ts";
import type { AgentSpaces } from "../../rl/spaces/index.ts";
import { algorithmDefinition, type TrainingManifest } from "../../specs/index.ts";
import type { FileStore } from "../../storage/index.ts";
import type { TrainingObserver } from "../loop/observer.ts";
import { datasetPlaceOf, openGiven } from "../options/datasetOption.ts";
import { type RunData, readRunData } from "../rl/datasetReplay.ts";
import { replaySize } from "./buildRun.ts";

export interface DataContext {
  /** Of the run; the disk in Node, OPFS in a browser unless given. */
  readonly store?: FileStore | undefined;
  /** Told of downloads. */
  readonly observer?: TrainingObserver | undefined;
  /** The caller's replay buffer, which bounds the rows in place of the manifest's section. */
  readonly memory?: ReplayBuffer | null;
}

/**
 * Null for runs that learn otherwise.
 * @throws DatasetError for a data set that is not there, is none, or is of another environment.
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
  const open = () => openGiven(datasetPlaceOf(manifest), context);
  return readRunData(open, layout, most, "replay_buffer.max_size");
}
