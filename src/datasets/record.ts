/** Door: recording of episodes. */
export { type MinariFiles, minariFiles } from "./record/minariFiles.ts";
export {
  type Actor,
  agentActor,
  type RecordedEnvironment,
  recordEpisodes,
  returnOf,
} from "./record/recordEpisodes.ts";
