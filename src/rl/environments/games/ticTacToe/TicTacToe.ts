import { rowGame } from "../inARow/rowGame.ts";
import { TIC_TAC_TOE } from "./rules.ts";

export const TicTacToe = rowGame(TIC_TAC_TOE, [
  { path: "M28 6v36M44 6v36M14 18h44M14 30h44" },
  { path: "M31 20l10 10M41 20 31 30" },
  { path: "M25 12a4 4 0 1 1-8 0 4 4 0 1 1 8 0z", style: "moving" },
]);
