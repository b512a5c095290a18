/** Door: recording of episodes. */
export { type MinariFiles, minariFiles } from "./record/minariFiles.ts";
export * from "./record/recordEpisodes.ts";
export { recordGames } from "./record/recordGames.ts";
