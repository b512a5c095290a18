/** The face of games, where their rules look for it. */
export * from "../face/GameRules.ts";
