/** Door: recording of episodes. */
export { type MinariFiles, minariFiles } from "./record/minariFiles.ts";
export { type RecordedEnvironment, Recorder } from "./record/Recorder.ts";
export { type RecordedEpisode, type Recording, returnOf } from "./record/Recording.ts";
export * from "./record/recordEpisodes.ts";
export { actorPlayer, type GamePlayer, RULE_PLAYERS, recordGames } from "./record/recordGames.ts";
