/** Door: recording of episodes. */
export { agentActor } from "./record/agentActor.ts";
export { type MinariFiles, minariFiles } from "./record/minariFiles.ts";
export { type Actor, type RecordedEnvironment, recordEpisodes, returnOf } from "./record/recordEpisodes.ts";
