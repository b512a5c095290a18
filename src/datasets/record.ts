/** Door: recording of episodes. */
export { type MinariFiles, minariFiles } from "./record/minariFiles.ts";
export * from "./record/recordEpisodes.ts";
